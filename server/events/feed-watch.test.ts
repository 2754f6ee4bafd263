import { uuidv7 } from "uuidv7";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { connect, type Db, withTransaction } from "#db/client.ts";
import { insertTenant } from "#db/queries/tenants.ts";
import { createTestDatabase, type TestDatabase } from "#tests/database.ts";
import { FeedWatch } from "./feed-watch.ts";

let database: TestDatabase;
let db: Db;
let tenantId: string;
beforeAll(async () => {
  database = await createTestDatabase();
  db = connect(database.url, { name: "watch-test", maxConnections: 2 });
});
afterAll(async () => {
  await db?.close();
  await database?.drop();
});
beforeEach(async () => {
  tenantId = uuidv7();
  await withTransaction(db, (tx) => insertTenant(tx, { id: tenantId, name: "Acme", createdAt: new Date() }));
});

const never = () => new AbortController().signal;
const advance = () =>
  db.query("update tenant_sequences set last = last + 1 where tenant_id = $1", [tenantId]);

/** What has come to its end, in order. */
function ends() {
  const done: string[] = [];
  return { done, note: (name: string) => (outcome: boolean) => done.push(`${name} ${outcome}`) };
}

it("wakes those who wait for what has come, and nobody else", async () => {
  const watch = new FeedWatch(db);
  const { done, note } = ends();
  const leave = new AbortController();
  const waits = [
    watch.wait(tenantId, "0", 60_000, never()).then(note("behind")),
    watch.wait(tenantId, "1", 60_000, leave.signal).then(note("ahead")),
    watch.wait(uuidv7(), "0", 60_000, leave.signal).then(note("elsewhere")),
  ];
  await advance();
  await expect.poll(() => done).toEqual(["behind true"]);
  leave.abort();
  await Promise.all(waits);
  expect(done).toHaveLength(3);
});

it("wakes a hundred readers with two connections, all of them free meanwhile", async () => {
  const watch = new FeedWatch(db);
  const waits = Array.from({ length: 100 }, () => watch.wait(tenantId, "0", 60_000, never()));
  await Promise.all(Array.from({ length: 10 }, () => db.query("select 1")));
  await advance();
  expect(await Promise.all(waits)).toEqual(Array(100).fill(true));
});

it("ends when the time is up, when the reader leaves, and when the database is away", async () => {
  const watch = new FeedWatch(db);
  expect(await watch.wait(tenantId, "0", 20, never())).toBe(true);
  expect(await watch.wait(tenantId, "0", 60_000, AbortSignal.abort())).toBe(true);
  const gone = connect(database.url, { name: "gone" });
  await gone.close();
  expect(await new FeedWatch(gone).wait(tenantId, "0", 60_000, never())).toBe(true);
});

it("lets no more than a thousand wait", async () => {
  const watch = new FeedWatch(db);
  const leave = new AbortController();
  const waits = Array.from({ length: 1_000 }, () => watch.wait(tenantId, "0", 60_000, leave.signal));
  expect(await watch.wait(tenantId, "0", 60_000, never())).toBe(false);
  leave.abort();
  await Promise.all(waits);
  await advance();
  expect(await watch.wait(tenantId, "0", 60_000, never())).toBe(true);
});
