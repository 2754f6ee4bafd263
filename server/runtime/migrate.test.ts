import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { NodePgDatabase } from "drizzle-orm/node-postgres";
import { migrate } from "drizzle-orm/node-postgres/migrator";
import { uuidv7 } from "uuidv7";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connect, type Db, withTransaction } from "#db/client.ts";
import { ensurePartitions } from "#db/partitions.ts";
import { createTestDatabase, type TestDatabase } from "#tests/database.ts";
import { QUEUES } from "../queue/queues.ts";
import { migrateDatabase } from "./migrate.ts";

let database: TestDatabase;
let db: Db;
const made: string[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  db = connect(database.url, { name: "migrate-test" });
});
afterAll(async () => {
  for (const name of made) await db.query(`drop database if exists ${name} with (force)`);
  await db?.close();
  await database?.drop();
});

/** An empty database on the same server. */
async function emptyDatabase(): Promise<string> {
  const url = new URL(database.url);
  const name = `${url.pathname.slice(1)}_${made.length}`;
  made.push(name);
  await db.query(`create database ${name}`);
  url.pathname = name;
  return url.href;
}

const MIGRATIONS = fileURLToPath(new URL("../../db/migrations", import.meta.url));

/** Makes the tables as they were before a migration. */
async function migrateUpTo(own: Db, before: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "posthorn-migrations-"));
  try {
    await cp(MIGRATIONS, folder, { recursive: true });
    const file = join(folder, "meta", "_journal.json");
    const journal: { entries: { tag: string }[] } = JSON.parse(await readFile(file, "utf8"));
    const end = journal.entries.findIndex(({ tag }) => tag === before);
    expect(end).toBeGreaterThan(0);
    await writeFile(file, JSON.stringify({ ...journal, entries: journal.entries.slice(0, end) }));
    await migrate(own.orm as NodePgDatabase, { migrationsFolder: folder });
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Everything that a migration makes, as text. */
async function shapeOf(url: string): Promise<unknown> {
  const own = connect(url, { name: "migrate-test" });
  try {
    return {
      tables: await own.query(
        `select table_schema, table_name, column_name, data_type, is_nullable, column_default
           from information_schema.columns where table_schema in ('public', 'pgboss') order by 1, 2, 3`,
      ),
      indexes: await own.query(
        "select indexdef from pg_indexes where schemaname in ('public', 'pgboss') order by 1",
      ),
      migrations: await own.query("select count(*) from drizzle.__drizzle_migrations"),
      queues: await own.query("select name from pgboss.queue order by name"),
    };
  } finally {
    await own.close();
  }
}

describe("migrating", () => {
  it("an empty database, by three processes at once, gives what one gives", async () => {
    const url = await emptyDatabase();
    await Promise.all([migrateDatabase(url), migrateDatabase(url), migrateDatabase(url)]);
    expect(await shapeOf(url)).toEqual(await shapeOf(database.url));
  });

  it("lists what is not delivered yet, of all that was there before, and lets tries write their rows in place", async () => {
    const url = await emptyDatabase();
    const own = connect(url, { name: "migrate-test", maxConnections: 1 });
    await migrateUpTo(own, "0017_undelivered");
    await withTransaction(own, (tx) => ensurePartitions(tx, new Date()));
    for (const status of ["pending", "delivered", "failed", "cancelled", "dismissed"])
      await own.query(
        `insert into deliveries (tenant_id, id, event_id, endpoint_id, event_type, status, next_attempt_at, job_id, created_at)
         values ($1, $1, $2, $2, 'a', $3, case $3 when 'pending' then now() end, $1, now())`,
        [uuidv7(), uuidv7(), status],
      );
    await migrateDatabase(url);
    const columns = "tenant_id, id, event_id, endpoint_id, event_type, status, next_attempt_at, created_at";
    const listed = await own.query(`select ${columns} from undelivered order by id`);
    expect(listed.map(({ status }) => status)).toEqual(["pending", "failed", "cancelled", "dismissed"]);
    expect(listed).toEqual(
      await own.query(`select ${columns} from deliveries where status <> 'delivered' order by id`),
    );
    await own.query("update deliveries set status = 'dismissed' where status = 'failed'");
    await own.query("delete from deliveries where status = 'cancelled'");
    expect(
      (await own.query("select status from undelivered order by id")).map(({ status }) => status),
    ).toEqual(["pending", "dismissed", "dismissed"]);
    const [storage] = await own.query(
      `select bool_and(reloptions = '{fillfactor=45}') as filled from pg_class
         join pg_inherits on inhrelid = oid and inhparent = 'deliveries'::regclass`,
    );
    expect(storage).toEqual({ filled: true });
    await own.close();
    expect(await shapeOf(url)).toEqual(await shapeOf(database.url));
  });

  it("again changes nothing, but for queues that were missing or whose options are new", async () => {
    const before = await shapeOf(database.url);
    await db.query("delete from pgboss.queue where name = 'cancel-queued'");
    await db.query("update pgboss.queue set expire_seconds = 1 where name = 'deliver'");
    await migrateDatabase(database.url);
    expect(await shapeOf(database.url)).toEqual(before);
    const [queue] = await db.query(
      "select expire_seconds, retry_limit from pgboss.queue where name = 'deliver'",
    );
    expect(queue).toEqual({
      expire_seconds: QUEUES.deliver.expireInSeconds,
      retry_limit: QUEUES.deliver.retryLimit,
    });
  });
});
