import { hashPassword } from "better-auth/crypto";
import { uuidv7 } from "uuidv7";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { connect, type Db, withTransaction } from "#db/client.ts";
import { insertStaff } from "#db/queries/staff.ts";
import { createTestDatabase, type TestDatabase } from "#tests/database.ts";
import { createKeyring, newRootKey, parseRootKeys } from "../crypto/keyring.ts";
import { createLogger } from "../log/logger.ts";
import { type Auth, createAuth } from "./auth.ts";
import { findStaff } from "./find-staff.ts";
import { rpIdOf } from "./passkeys.ts";
import { type Authenticator, testAuthenticator } from "./testing-authenticator.ts";

const ORIGIN = "https://posthorn.example";
const PASSWORD = "correct horse battery staple";
let database: TestDatabase;
let db: Db;
let auth: Auth;
let passwordHash: string;
beforeAll(async () => {
  database = await createTestDatabase();
  db = connect(database.url, { name: "passkeys-test" });
  const log = createLogger({ name: "t", level: "silent" });
  const keyring = createKeyring(parseRootKeys(newRootKey("k1")));
  auth = createAuth({ db, origin: ORIGIN, keyring, log });
  passwordHash = await hashPassword(PASSWORD);
});
afterAll(async () => {
  await db?.close();
  await database?.drop();
});
beforeEach(() => db.query("delete from staff_rate_limits"));

/** A browser: it keeps cookies. */
function browser() {
  const cookies = new Map<string, string>();
  const send = async (method: string, path: string, body?: object, origin = ORIGIN) => {
    const answer = await auth.handler(
      new Request(`${ORIGIN}/api/auth${path}`, {
        method,
        headers: {
          ...{ "content-type": "application/json", origin, "posthorn-client-address": "192.0.2.1" },
          ...(cookies.size > 0
            ? { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; ") }
            : {}),
        },
        ...(body ? { body: JSON.stringify(body) } : {}),
      }),
    );
    for (const each of answer.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(each) ?? [];
      if (/max-age=0/i.test(each)) cookies.delete(name);
      else cookies.set(name, value);
    }
    return { status: answer.status, json: await answer.json() };
  };
  const cookie = () => [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  return {
    send,
    who: () => findStaff(auth, cookie()),
    signIn: (email: string) => send("POST", "/sign-in/email", { email, password: PASSWORD }),
    async add(device: Authenticator, more: object = { name: "Phone" }) {
      const options = await send("GET", "/passkey/generate-register-options");
      if (options.status !== 200) return options;
      return send("POST", "/passkey/verify-registration", { response: device.create(options.json), ...more });
    },
    async use(device: Authenticator, origin?: string) {
      const { json } = await send("GET", "/passkey/generate-authenticate-options");
      return send("POST", "/passkey/verify-authentication", { response: device.get(json) }, origin);
    },
  };
}

let made = 0;
async function person(): Promise<{ id: string; email: string }> {
  const [id, email] = [uuidv7(), `kim-${++made}@example.com`];
  const row = { id, accountId: uuidv7(), email, name: "Kim", role: "viewer", passwordHash } as const;
  await withTransaction(db, (tx) => insertStaff(tx, row));
  return { id, email };
}

/** Somebody who is signed in and has a passkey. */
async function owner() {
  const [who, home, device] = [await person(), browser(), testAuthenticator(ORIGIN)];
  await home.signIn(who.email);
  expect(await home.add(device)).toEqual({ status: 200, json: { status: true } });
  return { ...who, home, device };
}
const sessions = (id: string) => db.query("select id from staff_sessions where user_id = $1", [id]);
const actions = async (email: string) =>
  (
    await db.query<{ action: string }>("select action from audit_log where target = $1 order by number", [
      email,
    ])
  ).map(({ action }) => action);

describe("signing in with a passkey", () => {
  it("needs neither password nor code, and tells no session token", async () => {
    const { id, email, device } = await owner();
    await db.query("update staff_users set two_factor_enabled = true where id = $1", [id]);
    const away = browser();
    expect(await away.use(device)).toEqual({ status: 200, json: { status: true } });
    expect(await away.who()).toMatchObject({ email, role: "viewer" });
    expect(
      await db.query("select 1 from staff_passkeys where user_id = $1 and last_used_at is not null", [id]),
    ).toHaveLength(1);
  });

  it("is refused when the device did not check who uses it, as is adding one", async () => {
    const { home, device } = await owner();
    device.verifiesUser = false;
    expect(await browser().use(device)).toMatchObject({ status: 400, json: { code: "NOT_VERIFIED" } });
    device.verifiesUser = true;
    expect((await browser().use(device)).status).toBe(200);
    const careless = testAuthenticator(ORIGIN);
    careless.verifiesUser = false;
    expect(await home.add(careless)).toMatchObject({ status: 400, json: { code: "NOT_VERIFIED" } });
  });

  it("is refused to a page of another origin, for an unknown passkey, and for a challenge that was used", async () => {
    const { device } = await owner();
    expect((await browser().use(device, "https://evil.example")).status).toBe(403);
    expect((await browser().use(testAuthenticator("https://evil.example"))).status).toBe(401);
    const away = browser();
    const { json } = await away.send("GET", "/passkey/generate-authenticate-options");
    const response = device.get(json);
    expect((await away.send("POST", "/passkey/verify-authentication", { response })).status).toBe(200);
    expect((await away.send("POST", "/passkey/verify-authentication", { response })).status).toBe(400);
  });

  it("is refused to whoever is disabled, or has no password since an admin reset it", async () => {
    const { id, device } = await owner();
    await db.query("update staff_users set banned = true where id = $1", [id]);
    expect(await browser().use(device)).toMatchObject({ status: 403, json: { code: "ACCOUNT_DISABLED" } });
    await db.query("update staff_users set banned = false where id = $1", [id]);
    await db.query("update staff_accounts set password = null where user_id = $1", [id]);
    expect(await browser().use(device)).toMatchObject({ status: 403, json: { code: "LINK_NEEDED" } });
  });

  it("where one is signed in replaces the session, and is noted as a proof; somebody else’s is refused", async () => {
    const { id, email, home, device } = await owner();
    await db.query("update staff_sessions set confirmed_at = now() - interval '1 hour' where user_id = $1", [
      id,
    ]);
    const [before] = await sessions(id);
    expect((await home.use((await owner()).device)).json.code).toBe("OTHER_PERSON");
    expect(await sessions(id)).toEqual([before]);

    expect((await home.use(device)).status).toBe(200);
    const now = await sessions(id);
    expect(now).toHaveLength(1);
    expect(now).not.toEqual([before]);
    expect(Date.now() - Number((await home.who())?.confirmedAt)).toBeLessThan(60_000);
    expect(await actions(email)).toEqual(["staff.add_passkey", "staff.reauthenticate"]);
  });
});

describe("adding a passkey", () => {
  it("needs a session, a recent sign-in and a name, and begins no session", async () => {
    expect((await browser().add(testAuthenticator(ORIGIN))).status).toBe(401);
    const { id, home } = await owner();
    expect((await home.add(testAuthenticator(ORIGIN), { name: " " })).json.code).toBe("NAME_NEEDED");
    await home.add(testAuthenticator(ORIGIN), { name: "Key", createSession: true });
    expect(await sessions(id)).toHaveLength(1);
    await db.query(
      "update staff_sessions set confirmed_at = now() - interval '11 minutes' where user_id = $1",
      [id],
    );
    expect(await home.add(testAuthenticator(ORIGIN))).toMatchObject({
      status: 403,
      json: { code: "REAUTHENTICATION_REQUIRED" },
    });
    expect(
      await db.query("select name from staff_passkeys where user_id = $1 order by created_at", [id]),
    ).toEqual([{ name: "Phone" }, { name: "Key" }]);
  });

  it("ends at twenty", async () => {
    const { id, home } = await owner();
    await db.query(
      `insert into staff_passkeys (id, user_id, name, credential_id, public_key, counter, device_type, backed_up)
       select gen_random_uuid(), $1, 'x', gen_random_uuid(), '', 0, 'x', false from generate_series(1, 19)`,
      [id],
    );
    expect(await home.add(testAuthenticator(ORIGIN))).toMatchObject({
      status: 409,
      json: { code: "TOO_MANY_PASSKEYS" },
    });
  });
});

it.each([
  ["https://posthorn.example", "posthorn.example"],
  ["http://127.0.0.1:3000", "localhost"],
  ["http://[::1]:3000", "localhost"],
])("binds passkeys of %s to %s", (origin, name) => {
  expect(rpIdOf(origin)).toBe(name);
});
