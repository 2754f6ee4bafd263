import { uuidv7 } from "uuidv7";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "#tests/database.ts";
import { daysAgo, makePastDays, storePast } from "#tests/past-days.ts";
import { connect, type Db, withTransaction } from "../client.ts";
import { sqlState } from "../database-errors.ts";
import { ensurePartitions, listPartitions } from "../partitions.ts";
import { dropPartition, listPartitionSizes, type Partition, tenantsIn } from "./retention.ts";
import { insertTenant } from "./tenants.ts";

let database: TestDatabase;
let db: Db;
beforeAll(async () => {
  database = await createTestDatabase();
  db = connect(database.url, { name: "retention-test" });
});
afterAll(async () => {
  await db?.close();
  await database?.drop();
});

async function addTenant(): Promise<string> {
  const id = uuidv7();
  await withTransaction(db, (tx) => insertTenant(tx, { id, name: "Acme", createdAt: new Date() }));
  return id;
}

const store = (tenantId: string, ago: number) => storePast(db, { tenantId, endpointId: uuidv7(), ago });

/** The partition of events of a day. */
async function partitionOf(ago: number): Promise<Partition> {
  const found = (await listPartitionSizes(db)).find(
    ({ table, day }) => table === "events" && day === daysAgo(ago),
  );
  return found ?? expect.fail("there is no such partition");
}

const purged = async (...tenantIds: string[]) => {
  const rows = await db.query<{ id: string; purged: string }>(
    "select tenant_id as id, purged from tenant_sequences",
  );
  return tenantIds.map((tenantId) => rows.find(({ id }) => id === tenantId)?.purged);
};

describe("dropping a partition of events", () => {
  it("tells each tenant's feed up to where it is purged, in the same transaction, and never back", async () => {
    await makePastDays(db, [3]);
    const [one, other, none] = [await addTenant(), await addTenant(), await addTenant()];
    for (const ago of [3, 3, 2, 3, 2]) await store(one, ago);
    await store(other, 3);
    const partition = await partitionOf(3);
    expect((await tenantsIn(db, partition)).sort()).toEqual([one, other].sort());
    const undone = withTransaction(db, async (tx) => {
      await dropPartition(tx, partition, [one, other]);
      throw new Error("undone");
    });
    await expect(undone).rejects.toThrow("undone");
    expect([await purged(one), (await listPartitions(db)).has(partition.name)]).toEqual([["0"], true]);

    await withTransaction(db, (tx) => dropPartition(tx, partition, [one, other]));
    expect(await purged(one, other, none)).toEqual(["4", "1", "0"]);
    expect((await listPartitions(db)).has(partition.name)).toBe(false);

    await makePastDays(db, [3]);
    await withTransaction(db, (tx) => dropPartition(tx, partition, [one]));
    expect(await purged(one)).toEqual(["4"]);
  });

  it("gives up within moments while somebody reads, and leaves everything as it was", async () => {
    await withTransaction(db, (tx) => ensurePartitions(tx, new Date()));
    const partition = await partitionOf(2);
    await withTransaction(db, async (reader) => {
      await reader.query("select count(*) from events");
      const drop = withTransaction(db, (tx) => dropPartition(tx, partition, []));
      await expect(drop).rejects.toSatisfy((error) => sqlState(error) === "55P03");
    });
    expect((await listPartitions(db)).has(partition.name)).toBe(true);
  });
});
