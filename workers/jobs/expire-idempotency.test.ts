import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { connect, type Db, withTransaction } from "#db/client.ts";
import { findIdempotentAnswer, takeIdempotencyKey } from "#db/queries/idempotency.ts";
import { createTestDatabase, type TestDatabase } from "#tests/database.ts";
import { expireIdempotency } from "./expire-idempotency.ts";

let database: TestDatabase;
let db: Db;
beforeAll(async () => {
  database = await createTestDatabase();
  db = connect(database.url, { name: "test" });
});
afterAll(async () => {
  await db?.close();
  await database?.drop();
});
beforeEach(() => db.query("truncate idempotency_records"));

const start = new Date("2026-11-21T00:00:00Z");
const at = (seconds: number) => new Date(start.getTime() + seconds * 1_000);
const scopeOf = (key: string) => ({
  tenantId: "01991f6e-4c2a-7cc3-9d0e-2f7a6b1c5d84",
  principalId: "p",
  method: "POST",
  path: "/orders",
  key,
});

/** Records number `from` to `to`, each of which expires in the second of its number. */
const addRecords = (from: number, to: number) =>
  db.query(
    `insert into idempotency_records (tenant_id, principal_id, method, path, key, fingerprint, expires_at)
     select $1, 'p', 'POST', '/orders', n::text, '', $2::timestamptz + n * interval '1 second' from generate_series($3::int, $4::int) n`,
    [scopeOf("").tenantId, start, from, to],
  );
const expire = (seconds: number) => expireIdempotency({ db, now: () => at(seconds) });
const keys = async () =>
  (await db.query<{ key: string }>("select key from idempotency_records order by expires_at")).map(
    ({ key }) => key,
  );

describe("the expiry of answers", () => {
  it("deletes those whose time is over, and keeps those that have a second left", async () => {
    await addRecords(1, 5);
    expect(await expire(3)).toBe(false);
    expect(await keys()).toEqual(["4", "5"]);
  });

  it("deletes a thousand at a time, the oldest first, and says that there is more", async () => {
    await addRecords(1, 2_500);
    expect(await expire(9_999)).toBe(true);
    expect((await keys())[0]).toBe("1001");
    expect([await expire(9_999), await expire(9_999), await expire(9_999)]).toEqual([true, false, false]);
    expect(await keys()).toEqual([]);
  });

  it("passes over a key that a request is just taking anew, without waiting for it", async () => {
    await addRecords(1, 3);
    await withTransaction(db, async (tx) => {
      const record = { fingerprint: Buffer.from("new"), now: at(60), expiresAt: at(999), waitMs: 100 };
      expect(await takeIdempotencyKey(tx, scopeOf("2"), record)).toBe(true);
      expect(await expire(60)).toBe(false);
    });
    expect(await keys()).toEqual(["2"]);
    expect((await findIdempotentAnswer(db, scopeOf("2")))?.fingerprint).toEqual(Buffer.from("new"));
  });

  it("lets several processes delete at once", async () => {
    await addRecords(1, 3_000);
    const rounds = await Promise.all([expire(9_999), expire(9_999), expire(9_999)]);
    expect(rounds).toContain(true);
    while (await expire(9_999));
    expect(await keys()).toEqual([]);
  });
});
