import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connect, type Db } from "#db/client.ts";
import { createTestDatabase, type TestDatabase } from "#tests/database.ts";
import { createKeyring, newRootKey, parseRootKeys } from "../crypto/keyring.ts";
import { createLogger } from "../log/logger.ts";
import { type Auth, createAuth } from "./auth.ts";
import { ensureFirstAdmin, type FirstAdmin } from "./create-admin.ts";

const ORIGIN = "https://posthorn.example";
let database: TestDatabase;
let db: Db;
let auth: Auth;
let admin: FirstAdmin;
beforeAll(async () => {
  database = await createTestDatabase();
  db = connect(database.url, { name: "guard-test" });
  const log = createLogger({ name: "t", level: "silent" });
  auth = createAuth({ db, origin: ORIGIN, keyring: createKeyring(parseRootKeys(newRootKey("k1"))), log });
  const made = await ensureFirstAdmin({ auth, db }, { email: "admin@example.com", name: "Admin" });
  if (!made) throw new Error("the first admin was not made");
  admin = made;
});
afterAll(async () => {
  await db?.close();
  await database?.drop();
});

describe("guessing a password", () => {
  const tryFrom = async (address: string, password: string) => {
    await db.query("delete from staff_rate_limits");
    const request = new Request(`${ORIGIN}/api/auth/sign-in/email`, {
      method: "POST",
      headers: { "content-type": "application/json", origin: ORIGIN, "posthorn-client-address": address },
      body: JSON.stringify({ email: admin.email.toUpperCase(), password }),
    });
    return auth.handler(request);
  };

  it("ends for that account from that address, and keeps its owner out from nowhere else", async () => {
    for (let tries = 0; tries < 10; tries++)
      expect((await tryFrom("192.0.2.1", "wrong guess")).status).toBe(401);

    const locked = await tryFrom("192.0.2.1", admin.password);

    expect(locked.status).toBe(429);
    expect(Number(locked.headers.get("x-retry-after"))).toBeGreaterThan(50);
    expect((await tryFrom("192.0.2.2", admin.password)).status).toBe(200);
  });

  it("is forgotten once the right one was given", async () => {
    for (let tries = 0; tries < 9; tries++) await tryFrom("192.0.2.3", "wrong guess");
    expect((await tryFrom("192.0.2.3", admin.password)).status).toBe(200);
    for (let tries = 0; tries < 9; tries++)
      expect((await tryFrom("192.0.2.3", "wrong guess")).status).toBe(401);
  });
});
