import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { connect, type Db, withTransaction } from "#db/client.ts";
import { createTenant } from "#server/tenants/create-tenant.ts";
import { createTestDatabase, type TestDatabase } from "#tests/database.ts";
import { purgeTombstones } from "./purge-tombstones.ts";

let database: TestDatabase;
let db: Db;
let tenantId: string;
const start = new Date("2026-11-21T00:00:00Z");

beforeAll(async () => {
  database = await createTestDatabase();
  db = connect(database.url, { name: "test" });
  ({ id: tenantId } = await withTransaction(db, (tx) => createTenant(tx, { name: "Acme", now: start })));
});
afterAll(async () => {
  await db?.close();
  await database?.drop();
});
beforeEach(() => db.query("truncate carts"));

/** Carts number `from` to `to`, each deleted in the second of its number, and one that is there. */
const addCarts = (from: number, to: number) =>
  db.query(
    `insert into carts (tenant_id, id, owner, currency, deleted_at)
     select $1::uuid, gen_random_uuid(), n::text, 'EUR', $2::timestamptz + n * interval '1 second' from generate_series($3::int, $4::int) n
     union all select $1, gen_random_uuid(), 'alive', 'EUR', null`,
    [tenantId, start, from, to],
  );
const purge = (daysLater: number, seconds: number) =>
  purgeTombstones({ db, now: () => new Date(start.getTime() + daysLater * 86_400_000 + seconds * 1_000) });
const owners = async () =>
  (await db.query<{ owner: string }>("select owner from carts order by deleted_at")).map(
    ({ owner }) => owner,
  );

describe("the purge of tombstones", () => {
  it("deletes those of thirty days ago, and no younger one and no cart", async () => {
    await addCarts(1, 5);
    expect(await purge(29, 86_399)).toBe(false);
    expect(await owners()).toHaveLength(6);
    expect(await purge(30, 3)).toBe(false);
    expect(await owners()).toEqual(["4", "5", "alive"]);
  });

  it("deletes a thousand at a time, the oldest first, and says that there is more", async () => {
    await addCarts(1, 2_500);
    expect(await purge(31, 0)).toBe(true);
    expect((await owners())[0]).toBe("1001");
    expect([await purge(31, 0), await purge(31, 0)]).toEqual([true, false]);
    expect(await owners()).toEqual(["alive"]);
  });

  it("lets several processes delete at once", async () => {
    await addCarts(1, 3_000);
    await Promise.all([purge(31, 0), purge(31, 0), purge(31, 0)]);
    while (await purge(31, 0));
    expect(await owners()).toEqual(["alive"]);
  });
});
