import { uuidv7 } from "uuidv7";
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

it("comes to what is rare however far away it is, and tells where it has come to on the way", async () => {
  const { id } = await withTransaction(db, (tx) => createTenant(tx, { name: "Acme", now: new Date() }));
  await db.query(
    `insert into events (tenant_id, id, sequence, type, body, created_at)
     select $1, overlay(gen_random_uuid()::text placing left($2::text, 8) from 1 for 8)::uuid, n,
            case when n % 40 = 0 then 'Rare' else 'Usual' end, n::text, now() from generate_series(1, 100) n`,
    [id, uuidv7()],
  );
  await db.query("update tenant_sequences set last = 100 where tenant_id = $1", [id]);
  const deps = { db, feedWatch: new FeedWatch(db) };
  const read = (over: object) =>
    readFeed(
      deps,
      { ...{ tenantId: id, after: "0", types: ["Rare"], limit: 10, span: 25, waitMs: 0 }, ...over },
      AbortSignal.timeout(30_000),
    );

  // In time: to the end, part by part.
  expect(await read({ walkMs: 60_000 })).toEqual({ bodies: ["40", "80"], hasMore: false, next: "100" });
  expect(await read({ walkMs: 60_000, limit: 1 })).toEqual({ bodies: ["40"], hasMore: true, next: "50" });
  // Out of time: part after part by its reader, whose wait is for the end.
  const pages = [];
  for (let after = "0"; ; ) {
    const page = await read({ walkMs: 0, after, waitMs: after === "75" ? 50 : 0 });
    if ("oldest" in page) throw new Error("expired");
    pages.push([page.bodies, page.hasMore]);
    after = page.next;
    if (!page.hasMore) break;
  }
  expect(pages).toEqual([
    [[], true],
    [["40"], true],
    [[], true],
    [["80"], false],
  ]);
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
