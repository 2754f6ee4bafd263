import { afterAll, beforeAll, expect, it } from "vitest";
import { connect, type Db, withTransaction } from "#db/client.ts";
import { FeedWatch } from "#server/events/feed-watch.ts";
import { readFeed } from "#server/events/read-feed.ts";
import { createTenant } from "#server/tenants/create-tenant.ts";
import { createTestDatabase, type TestDatabase } from "#tests/database.ts";

let database: TestDatabase;
let db: Db;
beforeAll(async () => {
  database = await createTestDatabase();
  db = connect(database.url, { name: "test" });
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

it("ends the wait when the reader has left", async () => {
  const { id } = await withTransaction(db, (tx) => createTenant(tx, { name: "Acme", now: new Date() }));
  const leave = new AbortController();
  const request = { tenantId: id, after: "0", types: null, limit: 10, waitMs: 30_000 };
  const started = performance.now();
  const waiting = readFeed({ db, feedWatch: new FeedWatch(db) }, request, leave.signal);
  leave.abort();
  expect(await waiting).toEqual({ bodies: [], hasMore: false, next: "0" });
  expect(performance.now() - started).toBeLessThan(5_000);
});
