import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { uuidFloor } from "#contracts/ids.ts";
import { createTestDatabase, type TestDatabase } from "#tests/database.ts";
import { connect, type Db, withTransaction } from "./client.ts";
import { sqlState } from "./database-errors.ts";
import { DAYS_AHEAD, ensurePartitions, listPartitions, partitionDaysAhead } from "./partitions.ts";

const DAY_MS = 86_400_000;
const TENANT = "0192f0c1-0000-7000-8000-000000000001";

let database: TestDatabase;
let db: Db;
beforeAll(async () => {
  database = await createTestDatabase();
  db = connect(database.url, { name: "partitions-test" });
});
afterAll(async () => {
  await db?.close();
  await database?.drop();
});

const ensure = (now: Date) => withTransaction(db, (tx) => ensurePartitions(tx, now));

/** Stores an event whose id carries that time. */
const insertEvent = (conn: Pick<Db, "query">, atMs: number) =>
  conn.query(
    `insert into events (tenant_id, id, sequence, type, body, created_at) values ($1, $2, 1, 'T', '{}', now())`,
    [TENANT, uuidFloor(atMs)],
  );

describe("the partitions", () => {
  it("reach from two days back to a week ahead, for each table, after the migration", async () => {
    const names = [...(await listPartitions(db))];
    for (const table of ["events", "deliveries", "attempts"])
      expect(names.filter((name) => name.startsWith(`${table}_`))).toHaveLength(10);
    expect(await partitionDaysAhead(db, new Date())).toBe(DAYS_AHEAD);
    expect(await partitionDaysAhead(db, new Date(Date.now() + 30 * DAY_MS))).toBe(-1);
  });

  it("are made once, however many ask at the same time", async () => {
    const later = new Date(Date.now() + 5 * DAY_MS);
    await Promise.all([ensure(later), ensure(later), ensure(later)]);
    expect([...(await listPartitions(db))]).toHaveLength(3 * 15);
    expect(await partitionDaysAhead(db, new Date())).toBe(DAYS_AHEAD + 5);
  });

  it("hold one UTC day each, from its first millisecond to its last", async () => {
    const day = Math.floor(Date.now() / DAY_MS) * DAY_MS;
    await insertEvent(db, day);
    await insertEvent(db, day + DAY_MS - 1);
    await insertEvent(db, day + DAY_MS);
    const rows = await db.query("select tableoid::regclass::text as partition from events order by id");
    const name = (ms: number) => `events_${new Date(ms).toISOString().slice(0, 10).replaceAll("-", "")}`;
    expect(rows.map((row) => row.partition)).toEqual([name(day), name(day), name(day + DAY_MS)]);
  });

  it("have the indexes, keys and storage of their table", async () => {
    const [row] = await db.query(
      `select (select count(*) from pg_inherits where inhparent = 'deliveries_of_endpoint'::regclass)::int as indexes,
              (select count(*) from pg_inherits where inhparent = 'deliveries'::regclass)::int as partitions,
              (select count(*) from pg_inherits where inhparent = 'deliveries_tenant_id_id_pk'::regclass)::int as keys,
              (select bool_and(reloptions = '{fillfactor=45}') from pg_class
                join pg_inherits on inhrelid = oid and inhparent = 'deliveries'::regclass) as filled`,
    );
    expect(row).toEqual({ indexes: 15, partitions: 15, keys: 15, filled: true });
    const [defaults] = await db.query(
      `insert into deliveries (tenant_id, id, event_id, endpoint_id, event_type, job_id, created_at)
       values ($1, $2, $2, $2, 'T', $2, now()) returning status, attempts`,
      [TENANT, uuidFloor(Date.now())],
    );
    expect(defaults).toEqual({ status: "pending", attempts: 0 });
  });

  it("refuse what belongs to a day that has none", async () => {
    const insert = insertEvent(db, Date.now() + 60 * DAY_MS);
    await expect(insert).rejects.toSatisfy((error) => sqlState(error) === "23514");
  });

  it("are made while others read and write the tables, without either waiting for the other", async () => {
    const later = new Date(Date.now() + 20 * DAY_MS);
    await withTransaction(db, async (reader) => {
      await insertEvent(reader, Date.now());
      await reader.query("select count(*) from deliveries");
      await withTransaction(db, async (maker) => {
        await maker.query("set local lock_timeout = '1s'");
        await ensurePartitions(maker, later);
        await withTransaction(db, async (writer) => {
          await writer.query("set local lock_timeout = '1s'");
          await insertEvent(writer, Date.now() + 1);
          await writer.query("select count(*) from events");
        });
      });
    });
    expect(await partitionDaysAhead(db, later)).toBe(DAYS_AHEAD);
  });
});
