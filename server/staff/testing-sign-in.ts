import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { hashPassword } from "better-auth/crypto";
import { uuidv7 } from "uuidv7";
import { connect, type Db, withTransaction } from "#db/client.ts";
import { insertStaff } from "#db/queries/staff.ts";
import { twoFactorIdentity } from "../crypto/identities.ts";
import { createKeyring, newRootKey, parseRootKeys } from "../crypto/keyring.ts";
import { totpCode, totpStep } from "../domain/totp.ts";
import { createLogger } from "../log/logger.ts";
import { type Auth, createAuth } from "./auth.ts";
import { toNodeHandler } from "./node-handler.ts";
import { beginSetUp, finishSetUp } from "./second-factor.ts";

export const ORIGIN = "https://posthorn.example";
export const PASSWORD = "correct horse battery staple";
const keyring = createKeyring(parseRootKeys(newRootKey("k1")));

export interface Person {
  userId: string;
  email: string;
  secret: Buffer;
  backupCodes: string[];
}

/** Sign-in on a port of its own, for tests of its second step. */
export interface TestSignIn {
  db: Db;
  auth: Auth;
  /** Of `/api/auth`. */
  base: string;
  /** Makes somebody with two-factor on, who gave their first code a while ago. */
  person(): Promise<Person>;
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Response>;
  /** Gives a password, the right one unless told otherwise; the cookie of the sign-in that waits for a code. */
  begin(who: Person, password?: string): Promise<{ answer: Response; cookie: string }>;
  /** Gives a code to a sign-in that waits. */
  give(cookie: string, code: string): Promise<Response>;
  /** Lets the next tries of the same minute through. */
  forgetRates(): Promise<unknown>;
  sessions(who: Person): Promise<unknown[]>;
  close(): Promise<void>;
}

/** Opens it on a database; what is logged goes to `lines`. */
export async function openTestSignIn(url: string, lines: string[] = []): Promise<TestSignIn> {
  const db = connect(url, { name: "second-step-test" });
  const destination = { write: (line: string) => void lines.push(line) };
  const log = createLogger({ name: "t", level: "trace", destination });
  const auth = createAuth({ db, origin: ORIGIN, keyring, log });
  const passwordHash = await hashPassword(PASSWORD);
  const server = createServer((request, response) => void toNodeHandler(auth, ORIGIN)(request, response));
  await once(server.listen(0, "127.0.0.1"), "listening");
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/auth`;
  const post: TestSignIn["post"] = (path, body, headers = {}) =>
    fetch(base + path, {
      method: "POST",
      headers: { "content-type": "application/json", origin: ORIGIN, ...headers },
      body: JSON.stringify(body),
    });
  let made = 0;
  return {
    ...{ db, auth, base, post },
    person: () => addPerson(db, `kim-${++made}@example.com`, passwordHash),
    async begin({ email }, password = PASSWORD) {
      const answer = await post("/sign-in/email", { email, password });
      return { answer, cookie: cookiesOf(answer) };
    },
    give: (cookie, code) => post("/two-factor/verify", { code }, { cookie }),
    forgetRates: () => db.query("delete from staff_rate_limits"),
    sessions: ({ userId }) => db.query("select 1 from staff_sessions where user_id = $1", [userId]),
    async close() {
      server.close();
      server.closeAllConnections();
      await db.close();
    },
  };
}

function addPerson(db: Db, email: string, passwordHash: string): Promise<Person> {
  const userId = uuidv7();
  const now = new Date(Date.now() - 600_000);
  const row = { id: userId, accountId: uuidv7(), email, name: "Kim", role: "viewer", passwordHash } as const;
  return withTransaction(db, async (tx) => {
    await insertStaff(tx, row);
    await beginSetUp(tx, keyring, { userId, email }, now);
    const [stored] = await tx.query<{ secret: string }>(
      "select secret from staff_two_factors where user_id = $1",
      [userId],
    );
    const secret = Buffer.from(keyring.open(stored?.secret ?? "", twoFactorIdentity(userId)), "base64url");
    const code = totpCode(secret, totpStep(now));
    const backupCodes = await finishSetUp(tx, keyring, { userId, email }, { code, now });
    return { userId, email, secret, backupCodes };
  });
}

/** The cookies that an answer sets; those that it takes away are left out. */
export const cookiesOf = (response: Response): string =>
  response.headers
    .getSetCookie()
    .filter((each) => !/max-age=0/i.test(each))
    .map((each) => each.split(";")[0] ?? "")
    .join("; ");

/** The code of somebody's app, `off` steps from now. */
export const codeOf = ({ secret }: Person, off = 0): string => totpCode(secret, totpStep(new Date()) + off);

/** A code that is wrong now, and in a while too. */
export function wrongFor(who: Person): string {
  const near = [-2, -1, 0, 1, 2].map((off) => codeOf(who, off));
  return (
    ["000000", "111111", "222222", "333333", "444444", "555555"].find((code) => !near.includes(code)) ?? ""
  );
}

/** Status and code of an answer. */
export const codeIn = async (answer: Response): Promise<unknown[]> => [
  answer.status,
  (await answer.json()).code,
];
