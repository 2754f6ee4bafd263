import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { hashPassword } from "better-auth/crypto";
import { uuidv7 } from "uuidv7";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { connect, type Db, withTransaction } from "#db/client.ts";
import { insertStaff } from "#db/queries/staff.ts";
import { createTestDatabase, type TestDatabase } from "#tests/database.ts";
import { twoFactorIdentity } from "../crypto/identities.ts";
import { createKeyring, newRootKey, parseRootKeys } from "../crypto/keyring.ts";
import { totpCode, totpStep } from "../domain/totp.ts";
import { createLogger } from "../log/logger.ts";
import { type Auth, createAuth } from "./auth.ts";
import { findStaff } from "./find-staff.ts";
import { toNodeHandler } from "./node-handler.ts";
import { resetPassword } from "./reset-password.ts";
import { beginSetUp, finishSetUp } from "./second-factor.ts";
import { makeSignInLink } from "./sign-in-link.ts";

const ORIGIN = "https://posthorn.example";
const PASSWORD = "correct horse battery staple";
const keyring = createKeyring(parseRootKeys(newRootKey("k1")));
const lines: string[] = [];
let database: TestDatabase;
let db: Db;
let auth: Auth;
let base: string;
let close: () => void;
let passwordHash: string;

beforeAll(async () => {
  passwordHash = await hashPassword(PASSWORD);
  database = await createTestDatabase();
  db = connect(database.url, { name: "second-step-test" });
  const destination = { write: (line: string) => void lines.push(line) };
  auth = createAuth({
    ...{ db, origin: ORIGIN, keyring },
    log: createLogger({ name: "t", level: "trace", destination }),
  });
  const server = createServer((request, response) => void toNodeHandler(auth, ORIGIN)(request, response));
  await once(server.listen(0, "127.0.0.1"), "listening");
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/auth`;
  close = () => {
    server.close();
    server.closeAllConnections();
  };
});
afterAll(async () => {
  close?.();
  await db?.close();
  await database?.drop();
});
beforeEach(() => forgetRates());
const forgetRates = () => db.query("delete from staff_rate_limits");

interface Person {
  userId: string;
  email: string;
  secret: Buffer;
  backupCodes: string[];
}

let made = 0;
/** Somebody with two-factor on, who gave their first code a while ago. */
async function person(): Promise<Person> {
  const [userId, email] = [uuidv7(), `kim-${++made}@example.com`];
  const now = new Date(Date.now() - 600_000);
  return withTransaction(db, async (tx) => {
    await insertStaff(tx, {
      id: userId,
      accountId: uuidv7(),
      email,
      name: "Kim",
      role: "viewer",
      passwordHash,
    });
    await beginSetUp(tx, keyring, { userId, email }, now);
    const [row] = await tx.query<{ secret: string }>(
      "select secret from staff_two_factors where user_id = $1",
      [userId],
    );
    const secret = Buffer.from(keyring.open(row?.secret ?? "", twoFactorIdentity(userId)), "base64url");
    const code = totpCode(secret, totpStep(now));
    return {
      userId,
      email,
      secret,
      backupCodes: await finishSetUp(tx, keyring, { userId, email }, { code, now }),
    };
  });
}

const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(base + path, {
    method: "POST",
    headers: { "content-type": "application/json", origin: ORIGIN, ...headers },
    body: JSON.stringify(body),
  });
/** The cookies that an answer sets; those that it takes away are left out. */
const cookiesOf = (response: Response) =>
  response.headers
    .getSetCookie()
    .filter((each) => !/max-age=0/i.test(each))
    .map((each) => each.split(";")[0] ?? "")
    .join("; ");
/** Gives the right password; the cookie of the sign-in that waits for a code. */
const begin = async ({ email }: Person, password = PASSWORD) => {
  const answer = await post("/sign-in/email", { email, password });
  return { answer, cookie: cookiesOf(answer) };
};
const give = (cookie: string, code: string) => post("/two-factor/verify", { code }, { cookie });
const codeOf = ({ secret }: Person, off = 0) => totpCode(secret, totpStep(new Date()) + off);
const wrongFor = (who: Person) => {
  const near = [-2, -1, 0, 1, 2].map((off) => codeOf(who, off));
  return (
    ["000000", "111111", "222222", "333333", "444444", "555555"].find((code) => !near.includes(code)) ?? ""
  );
};
const codeIn = async (answer: Response) => [answer.status, (await answer.json()).code];
const sessions = ({ userId }: Person) =>
  db.query("select 1 from staff_sessions where user_id = $1", [userId]);

describe("a password where two-factor is on", () => {
  it("begins no session: there is none until the code, neither a cookie nor a row", async () => {
    const kim = await person();
    const { answer, cookie } = await begin(kim);

    expect([answer.status, (await answer.json()).twoFactorRedirect]).toEqual([200, true]);
    expect(cookie).toMatch(/^__Secure-posthorn\.two_factor=[^;]+$/);
    expect(cookie).not.toContain("session_token");
    expect(await findStaff(auth, cookie)).toBeNull();
    expect(await sessions(kim)).toEqual([]);
    const own = await fetch(`${base}/get-session`, { headers: { cookie } });
    expect(await own.json()).toBeNull();

    const done = await give(cookie, codeOf(kim));
    expect([done.status, await done.json()]).toEqual([200, { status: true }]);
    expect(await findStaff(auth, cookiesOf(done))).toMatchObject({ email: kim.email });
    expect(await sessions(kim)).toHaveLength(1);
  });

  it("is still asked for first: a code alone is nothing", async () => {
    const kim = await person();
    expect(await codeIn(await give("a=b", codeOf(kim)))).toEqual([401, "SIGN_IN_OVER"]);
    expect((await begin(kim, "not the password")).answer.status).toBe(401);
  });

  it("is no way around the code once it was set by a link, nor do sign-ins from before go on", async () => {
    const kim = await person();
    const before = await begin(kim);
    const link = await withTransaction(db, (tx) =>
      makeSignInLink(tx, { ...kim, origin: ORIGIN, now: new Date() }),
    );
    const token = new URLSearchParams(new URL(link).hash.slice(1)).get("token");
    const set = await post("/reset-password", { token, newPassword: "another horse battery staple" });

    expect([set.status, cookiesOf(set)]).toEqual([200, ""]);
    expect(await codeIn(await give(before.cookie, codeOf(kim)))).toEqual([401, "SIGN_IN_OVER"]);
    const after = await begin(kim, "another horse battery staple");
    expect(after.cookie).not.toContain("session_token");
    expect(await sessions(kim)).toEqual([]);
  });

  it("nor once it was reset on the command line", async () => {
    const kim = await person();
    const before = await begin(kim);
    const other = await hashPassword("another horse battery staple");
    await withTransaction(db, (tx) => resetPassword(tx, { ...kim, passwordHash: other, now: new Date() }));

    expect(await codeIn(await give(before.cookie, codeOf(kim)))).toEqual([401, "SIGN_IN_OVER"]);
    expect((await begin(kim, "another horse battery staple")).cookie).not.toContain("session_token");
  });
});

describe("a code", () => {
  it("counts once, also with another password given, and none before it does", async () => {
    const kim = await person();
    const code = codeOf(kim);
    expect((await give((await begin(kim)).cookie, code)).status).toBe(200);
    const again = (await begin(kim)).cookie;

    expect(await codeIn(await give(again, code))).toEqual([401, "WRONG_CODE"]);
    expect(await codeIn(await give(again, codeOf(kim, -1)))).toEqual([401, "WRONG_CODE"]);
    expect((await give(again, codeOf(kim, 1))).status).toBe(200);
  });

  it("that two give at once begins one session", async () => {
    const kim = await person();
    const { cookie } = await begin(kim);
    const both = await Promise.all([give(cookie, codeOf(kim)), give(cookie, codeOf(kim))]);

    expect(both.map(({ status }) => status).sort()).toEqual([200, 401]);
    expect(await sessions(kim)).toHaveLength(1);
  });

  it("for backup counts once, however it is spelt, and its use is noted", async () => {
    const kim = await person();
    const [first = "", second = ""] = kim.backupCodes;
    expect(kim.backupCodes).toHaveLength(10);
    const typed = ` ${first.toUpperCase().replaceAll("-", " ")} `;
    expect((await give((await begin(kim)).cookie, typed)).status).toBe(200);
    const again = (await begin(kim)).cookie;

    expect(await codeIn(await give(again, first))).toEqual([401, "WRONG_CODE"]);
    expect((await give(again, second)).status).toBe(200);
    const notes = await db.query("select action, after from audit_log where target = $1", [kim.email]);
    expect(notes).toEqual([
      { action: "staff.use_backup_code", after: { backup_codes_left: 9 } },
      { action: "staff.use_backup_code", after: { backup_codes_left: 8 } },
    ]);
    expect(JSON.stringify(notes)).not.toContain(first);
  });

  it("of somebody else does not help", async () => {
    const [kim, lee] = [await person(), await person()];
    const { cookie } = await begin(kim);
    expect(await codeIn(await give(cookie, codeOf(lee)))).toEqual([401, "WRONG_CODE"]);
    expect(await codeIn(await give(cookie, lee.backupCodes[0] ?? ""))).toEqual([401, "WRONG_CODE"]);
  });

  it("is refused from a page of another origin", async () => {
    const kim = await person();
    const { cookie } = await begin(kim);
    const answer = await post(
      "/two-factor/verify",
      { code: codeOf(kim) },
      { cookie, origin: "https://evil.example" },
    );
    expect(answer.status).toBe(403);
    expect(await sessions(kim)).toEqual([]);
  });
});

describe("guessing codes", () => {
  it("ends the sign-in after ten wrong ones, then makes this address wait", async () => {
    const kim = await person();
    const { cookie } = await begin(kim);
    const answers = [];
    for (let tries = 0; tries < 10; tries++) {
      await forgetRates();
      answers.push((await codeIn(await give(cookie, wrongFor(kim))))[1]);
    }
    expect(answers).toEqual([...Array(9).fill("WRONG_CODE"), "SIGN_IN_OVER"]);
    await forgetRates();
    expect(await codeIn(await give(cookie, codeOf(kim)))).toEqual([401, "SIGN_IN_OVER"]);

    const next = (await begin(kim)).cookie;
    const locked = await give(next, codeOf(kim));
    expect(locked.status).toBe(429);
    expect(Number(locked.headers.get("x-retry-after"))).toBeGreaterThan(50);
    expect(await sessions(kim)).toEqual([]);
  });

  it("keeps nobody out elsewhere: the owner signs in from another address meanwhile", async () => {
    const kim = await person();
    const from = async (address: string, path: string, body: object, cookie = "") => {
      await forgetRates();
      const headers = {
        "content-type": "application/json",
        origin: ORIGIN,
        cookie,
        "posthorn-client-address": address,
      };
      return auth.handler(
        new Request(`${ORIGIN}/api/auth${path}`, { method: "POST", headers, body: JSON.stringify(body) }),
      );
    };
    const enter = async (address: string) =>
      cookiesOf(await from(address, "/sign-in/email", { email: kim.email, password: PASSWORD }));
    const guesser = await enter("192.0.2.1");
    for (let tries = 0; tries < 10; tries++)
      await from("192.0.2.1", "/two-factor/verify", { code: wrongFor(kim) }, guesser);
    const stuck = await from(
      "192.0.2.1",
      "/two-factor/verify",
      { code: codeOf(kim) },
      await enter("192.0.2.1"),
    );
    const owner = await from(
      "192.0.2.2",
      "/two-factor/verify",
      { code: codeOf(kim) },
      await enter("192.0.2.2"),
    );

    expect([stuck.status, owner.status]).toEqual([429, 200]);
  });

  it("is slow: ten codes a minute and address", async () => {
    const { cookie } = await begin(await person());
    const statuses = [];
    for (let tries = 0; tries < 11; tries++)
      statuses.push((await give(cookie.replace(/.$/, ""), "000000")).status);
    expect(statuses).toEqual([...Array(10).fill(401), 429]);
  });
});

it("keeps secrets to itself: sealed or as digests in the database, in no answer, and in no log", async () => {
  const kim = await person();
  const { answer, cookie } = await begin(kim);
  const done = await give(cookie, codeOf(kim));
  const session = await fetch(`${base}/get-session`, { headers: { cookie: cookiesOf(done) } });
  const rows = await db.query("select * from staff_two_factors where user_id = $1", [kim.userId]);
  const told = [
    await answer.text(),
    await done.text(),
    await session.text(),
    JSON.stringify(rows),
    lines.join(""),
  ];
  const secrets = [
    ...kim.backupCodes,
    ...(["base64url", "base64", "hex", "latin1"] as const).map((form) => kim.secret.toString(form)),
  ];
  for (const text of told) for (const secret of secrets) expect(text.includes(secret)).toBe(false);
});
