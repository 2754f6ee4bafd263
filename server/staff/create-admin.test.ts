import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { connect, type Db } from "#db/client.ts";
import { createTestDatabase, type TestDatabase } from "#tests/database.ts";
import { createKeyring, newRootKey, parseRootKeys } from "../crypto/keyring.ts";
import { createLogger } from "../log/logger.ts";
import { type Auth, createAuth } from "./auth.ts";
import { ensureFirstAdmin } from "./create-admin.ts";

let database: TestDatabase;
let db: Db;
let auth: Auth;

beforeAll(async () => {
  database = await createTestDatabase();
  db = connect(database.url, { name: "admin-test" });
  auth = createAuth({
    db,
    origin: "http://127.0.0.1:3000",
    keyring: createKeyring(parseRootKeys(newRootKey("k1"))),
    log: createLogger({ name: "t", level: "silent" }),
  });
});
afterAll(async () => {
  await db?.close();
  await database?.drop();
});
beforeEach(async () => {
  await db.query("delete from staff_users");
});

const ensure = () => ensureFirstAdmin({ auth, db }, { email: "admin@example.com", name: "Admin" });

describe("ensureFirstAdmin", () => {
  it("makes an admin whose password works and can be read out", async () => {
    const admin = await ensure();

    expect(admin?.password).toMatch(/^([a-hj-km-np-z2-9]{4}-){3}[a-hj-km-np-z2-9]{4}$/);
    const { user } = await auth.api.signInEmail({
      body: { email: "admin@example.com", password: admin?.password ?? "" },
    });
    expect(user).toMatchObject({ email: "admin@example.com", role: "admin" });
  });

  it("keeps only a hash of the password", async () => {
    const admin = await ensure();

    const [row] = await db.query<{ all: string }>("select to_json(a)::text as all from staff_accounts a");
    expect(row?.all).not.toContain(admin?.password);
  });

  it("does nothing when there is somebody", async () => {
    await ensure();

    expect(await ensure()).toBeNull();
    expect(await db.query("select from staff_users")).toHaveLength(1);
  });

  it("makes one admin between processes that start at once", async () => {
    const made = await Promise.all(Array.from({ length: 8 }, ensure));

    expect(made.filter((admin) => admin !== null)).toHaveLength(1);
    expect(await db.query("select from staff_users")).toHaveLength(1);
    expect(await db.query("select from staff_accounts")).toHaveLength(1);
  });
});
