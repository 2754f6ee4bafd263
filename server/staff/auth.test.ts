import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { connect, type Db } from "#db/client.ts";
import { createTestDatabase, type TestDatabase } from "#tests/database.ts";
import { createKeyring, newRootKey, parseRootKeys } from "../crypto/keyring.ts";
import { createLogger } from "../log/logger.ts";
import { type Auth, createAuth } from "./auth.ts";
import { ensureFirstAdmin, type FirstAdmin } from "./create-admin.ts";
import { findStaff } from "./find-staff.ts";
import { toNodeHandler } from "./node-handler.ts";
import { trustedOrigins } from "./origins.ts";

const ORIGIN = "https://posthorn.example";
let database: TestDatabase;
let db: Db;
let admin: FirstAdmin;
let auth: Auth;
let base: string;
let close: () => void;

const authFor = (origin: string) =>
  createAuth({
    db,
    origin,
    keyring: createKeyring(parseRootKeys(newRootKey("k1"))),
    log: createLogger({ name: "t", level: "silent" }),
  });

beforeAll(async () => {
  database = await createTestDatabase();
  db = connect(database.url, { name: "staff-test" });
  auth = authFor(ORIGIN);
  const made = await ensureFirstAdmin({ auth, db }, { email: "Admin@example.com", name: "Admin" });
  if (!made) throw new Error("the first admin was not made");
  admin = made;
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
beforeEach(async () => {
  await db.query("delete from staff_rate_limits");
  await db.query("delete from staff_password_failures");
});

const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(base + path, {
    method: "POST",
    headers: { "content-type": "application/json", origin: ORIGIN, ...headers },
    body: JSON.stringify(body),
  });
const signIn = (credentials: object = admin, headers = {}) => post("/sign-in/email", credentials, headers);
const cookieOf = (response: Response) =>
  response.headers
    .getSetCookie()
    .map((each) => each.split(";")[0])
    .join("; ");

describe("signing in", () => {
  it("sets one strict cookie, by which the member of staff is found", async () => {
    const response = await signIn();

    expect(response.status).toBe(200);
    const [cookie, ...others] = response.headers.getSetCookie();
    expect(others).toEqual([]);
    expect(cookie).toMatch(/^__Host-posthorn\.session_token=/);
    for (const attribute of ["HttpOnly", "Secure", "SameSite=Strict", "Path=/"])
      expect(cookie).toContain(attribute);
    expect(cookie).not.toContain("Domain");
    expect(await findStaff(auth, cookieOf(response))).toMatchObject({
      email: "admin@example.com",
      role: "admin",
    });
  });

  it("tells the console who is signed in, with the role and no secret", async () => {
    const cookie = cookieOf(await signIn());

    const response = await fetch(`${base}/get-session`, { headers: { cookie } });

    const text = await response.text();
    expect(JSON.parse(text).user).toMatchObject({ email: "admin@example.com", role: "admin" });
    expect(text).not.toContain("password");
    expect(response.headers.get("cache-control")).toBe("no-store");
  });

  it("gives a new session each time, and nothing for the old one once it is signed out", async () => {
    const first = cookieOf(await signIn());
    const second = cookieOf(await signIn(admin, { cookie: first }));
    expect(second).not.toBe(first);

    await post("/sign-out", {}, { cookie: first });

    expect(await findStaff(auth, first)).toBeNull();
    expect(await findStaff(auth, second)).not.toBeNull();
  });

  it("answers a wrong password and an unknown address alike", async () => {
    const wrong = await signIn({ ...admin, password: "not the password" });
    const unknown = await signIn({ email: "nobody@example.com", password: "not the password" });

    expect([wrong.status, unknown.status]).toEqual([401, 401]);
    expect(await unknown.text()).toBe(await wrong.text());
    expect(wrong.headers.getSetCookie()).toEqual([]);
  });

  it("refuses the eleventh try within a minute, the right password too", async () => {
    const wrong = { ...admin, password: "not the password" };
    const statuses = [];
    for (let tries = 0; tries < 10; tries++) statuses.push((await signIn(wrong)).status);
    const last = await signIn();

    expect(new Set(statuses)).toEqual(new Set([401]));
    expect(last.status).toBe(429);
    expect(Number(last.headers.get("x-retry-after"))).toBeGreaterThan(0);
  });

  it("counts tries by who connects, whatever forwarded address is claimed", async () => {
    const wrong = { ...admin, password: "not the password" };
    for (let tries = 0; tries < 11; tries++)
      await signIn(wrong, {
        "x-forwarded-for": `192.0.2.${tries}`,
        "posthorn-client-address": `192.0.2.${tries}`,
      });

    const rows = await db.query<{ count: number }>("select count from staff_rate_limits");
    expect(rows).toEqual([{ count: 10 }]);
  });

  it("refuses a request that a page of another origin makes", async () => {
    const foreign = await signIn(admin, { origin: "https://evil.example" });
    const signedIn = cookieOf(await signIn());
    const signOut = await post("/sign-out", {}, { cookie: signedIn, origin: "https://evil.example" });

    expect([foreign.status, signOut.status]).toEqual([403, 403]);
    expect(await findStaff(auth, signedIn)).not.toBeNull();
  });

  it("lets in nobody whose account is disabled, and ends the sessions they have", async () => {
    const cookie = cookieOf(await signIn());
    await db.query("update staff_users set banned = true");
    try {
      expect(await findStaff(auth, cookie)).toBeNull();
      const refused = await signIn();
      expect(refused.status).toBe(403);
      expect(await refused.json()).toMatchObject({ code: "ACCOUNT_DISABLED" });
    } finally {
      await db.query("update staff_users set banned = false");
    }
  });
});

describe("what is served", () => {
  it.each([
    ["POST", "/sign-up/email"],
    ["POST", "/update-user"],
    ["POST", "/change-email"],
    ["POST", "/request-password-reset"],
    ["GET", "/ok"],
    ["GET", "/list-sessions"],
    ["POST", "/get-session"],
    ["POST", "/two-factor/enable"],
    ["POST", "/two-factor/disable"],
    ["POST", "/two-factor/verify-totp"],
    ["POST", "/two-factor/verify-backup-code"],
    ["POST", "/two-factor/send-otp"],
    ["GET", "/passkey/list-user-passkeys"],
    ["POST", "/passkey/delete-passkey"],
    ["POST", "/passkey/update-passkey"],
    ["GET", "/sign-in/email/../../ok"],
  ])("does not know %s %s", async (method, path) => {
    const response = await fetch(base + path, { method, headers: { origin: ORIGIN } });

    expect(response.status).toBe(404);
  });

  it("takes no large body", async () => {
    const response = await signIn({ ...admin, filler: "x".repeat(20_000) });

    expect(response.status).toBe(413);
  });

  it("lets nobody choose a role", async () => {
    await signIn({ ...admin, role: "operator" });

    const rows = await db.query<{ role: string }>("select role from staff_users");
    expect(rows).toEqual([{ role: "admin" }]);
  });
});

describe("findStaff", () => {
  it.each([null, undefined, "", "a=b", "__Host-posthorn.session_token=forged.signature"])(
    "finds nobody for %j",
    async (cookie) => {
      expect(await findStaff(auth, cookie)).toBeNull();
    },
  );

  it("finds nobody by a session that was signed with another secret", async () => {
    const other = createAuth({
      db,
      origin: ORIGIN,
      keyring: createKeyring(parseRootKeys(newRootKey("k1"))),
      log: createLogger({ name: "t", level: "silent" }),
    });

    expect(await findStaff(other, cookieOf(await signIn()))).toBeNull();
  });

  it("finds nobody once the session has run out", async () => {
    const cookie = cookieOf(await signIn());
    await db.query("update staff_sessions set expires_at = now() - interval '1 second'");

    expect(await findStaff(auth, cookie)).toBeNull();
  });
});

describe("trustedOrigins", () => {
  it("is the configured origin and no other", () => {
    expect(trustedOrigins("https://posthorn.example")).toEqual(["https://posthorn.example"]);
  });

  it("knows the other names of this machine", () => {
    expect(trustedOrigins("http://127.0.0.1:3000")).toEqual([
      "http://localhost:3000",
      "http://127.0.0.1:3000",
      "http://[::1]:3000",
    ]);
  });

  it("needs no secure cookie where there is no TLS", async () => {
    const cookie = (await authFor("http://127.0.0.1:3000").$context).authCookies.sessionToken;

    expect(cookie.name).toBe("posthorn.session_token");
    expect(cookie.attributes).toMatchObject({ secure: false, httpOnly: true, sameSite: "strict" });
  });
});
