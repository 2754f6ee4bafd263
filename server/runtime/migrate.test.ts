import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connect, type Db } from "#db/client.ts";
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
