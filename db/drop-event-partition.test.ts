import { uuidv7 } from "uuidv7";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { uuidFloor } from "#contracts/ids.ts";
import { createTestDatabase, type TestDatabase } from "#tests/database.ts";
import { connect, type Db, withTransaction } from "./client.ts";
import { dropEventPartition, ensurePartitions, listPartitions } from "./partitions.ts";
import { insertTenant } from "./queries/tenants.ts";

const DAY_MS = 86_400_000;
const today = Math.floor(Date.now() / DAY_MS) * DAY_MS;
const [before, yesterday] = [today - 2 * DAY_MS, today - DAY_MS];
const nameOf = (day: number) => `events_${new Date(day).toISOString().slice(0, 10).replaceAll("-", "")}`;

let database: TestDatabase;
let db: Db;
beforeAll(async () => {
  database = await createTestDatabase();
  db = connect(database.url, { name: "drop-test" });
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

/** Stores one event of each sequence, with an id of that day. */
async function addEvents(tenantId: string, day: number, sequences: readonly number[]): Promise<void> {
  for (const sequence of sequences)
    await db.query(
      `insert into events (tenant_id, id, sequence, type, body, created_at) values ($1, $2, $3, 'T', '{}', now())`,
      [tenantId, uuidFloor(day + sequence), sequence],
    );
}

const purged = async (tenantId: string) => {
  const [row] = await db.query("select purged from tenant_sequences where tenant_id = $1", [tenantId]);
  return row?.purged;
};
const drop = (day: number) => withTransaction(db, (tx) => dropEventPartition(tx, new Date(day + 5_000)));

describe("dropping the events of a day", () => {
  it("tells each tenant's feed up to where it is purged, in the same transaction", async () => {
    const [one, other, none] = [await addTenant(), await addTenant(), await addTenant()];
    await addEvents(one, before, [1, 2, 4]);
    await addEvents(one, yesterday, [3, 5]);
    await addEvents(other, before, [1]);
    const undone = withTransaction(db, async (tx) => {
      await dropEventPartition(tx, new Date(before));
      throw new Error("undone");
    });
    await expect(undone).rejects.toThrow("undone");
    expect([await purged(one), (await listPartitions(db)).has(nameOf(before))]).toEqual(["0", true]);

    expect(await drop(before)).toBe(true);
    expect([await purged(one), await purged(other), await purged(none)]).toEqual(["4", "1", "0"]);
    expect((await listPartitions(db)).has(nameOf(before))).toBe(false);
    expect(await drop(before)).toBe(false);
    await withTransaction(db, (tx) => ensurePartitions(tx, new Date()));
    expect(await drop(before)).toBe(true);
    expect(await purged(one)).toBe("4");
  });

  it("waits until no delivery of them is pending", async () => {
    const tenantId = await addTenant();
    await addEvents(tenantId, yesterday, [1]);
    await db.query(
      `insert into deliveries (tenant_id, id, event_id, endpoint_id, event_type, job_id, created_at)
       values ($1, $2, $3, $2, 'T', $2, now())`,
      [tenantId, uuidv7(), uuidFloor(yesterday + 1)],
    );
    expect(await drop(yesterday)).toBe(false);
    await db.query("update deliveries set status = 'failed' where tenant_id = $1", [tenantId]);
    expect(await drop(yesterday)).toBe(true);
    expect(await purged(tenantId)).toBe("1");
  });
});
