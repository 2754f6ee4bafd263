import { afterEach, beforeEach, expect, it, onTestFinished } from "vitest";
import { withTransaction } from "#db/client.ts";
import { listGone, WORKER_LOCK_CLASS } from "#db/queries/claims.ts";
import { openSession, type Session } from "#db/session.ts";
import { createTestDatabase, type TestDatabase } from "#tests/database.ts";
import { eventually } from "#tests/eventually.ts";
import { GRACE_MS, Sweeper } from "./sweeper.ts";
import { claimOne, openEngine, type TestEngine } from "./test-support.ts";

let database: TestDatabase;
let engine: TestEngine;

beforeEach(async () => {
  database = await createTestDatabase();
  engine = await openEngine(database.url);
  await engine.addEndpoint({ url: "https://example.com" });
});
afterEach(async () => {
  await engine?.close();
  await database?.drop();
});

/** Looks, and gives how many jobs were put back; the looks are so many milliseconds apart. */
function newSweeper({ worker = 99, apartMs = GRACE_MS } = {}): () => Promise<number> {
  let now = 0;
  const sweeper = new Sweeper({ ...engine, worker: () => worker, clock: () => now });
  return async () => {
    now += apartMs;
    return (await sweeper.sweep()).get("deliver") ?? 0;
  };
}

/** A worker that is alive as long as its session. */
async function live(worker: number): Promise<Session> {
  const session = await openSession(database.url, "test-worker");
  onTestFinished(() => session.close().catch(() => {}));
  await session.query("select pg_advisory_lock($1, $2)", [WORKER_LOCK_CLASS, worker]);
  return session;
}

it("puts back the jobs of a worker that is gone for half a second, and leaves those of the living alone", async () => {
  await engine.publish("OrderCreated", 150);
  await live(1);
  const dead = await live(2);
  await claimOne(engine, 1);
  const { chunk } = await claimOne(engine, 2);
  await claimOne(engine, 99);
  const sweep = newSweeper({ apartMs: GRACE_MS / 2 });
  expect([await sweep(), await sweep(), await sweep()]).toEqual([0, 0, 0]);

  await dead.close();
  await dead.ended;
  expect([await sweep(), await sweep(), await sweep(), await sweep()]).toEqual([0, 0, 1, 0]);
  const again = await claimOne(engine, 99);
  expect([again.chunk.id, again.chunk.retryCount]).toEqual([chunk.id, 1]);
  expect(await engine.attempts()).toHaveLength(50);
});

it("takes no claims of a worker that came back between the looks", async () => {
  await engine.publish("OrderCreated");
  await claimOne(engine, 2);
  const sweep = newSweeper();
  expect(await sweep()).toBe(0);
  const back = await live(2);
  expect(await sweep()).toBe(0);
  // Suspicion begins anew.
  await back.close();
  await back.ended;
  await eventually(async () => {
    // Those of other databases of the same server are not ours.
    const [row] = await engine.db.query(
      `select count(*)::int as count from pg_locks
        where classid = $1 and database = (select oid from pg_database where datname = current_database())`,
      [WORKER_LOCK_CLASS],
    );
    expect(row?.count).toBe(0);
  });
  expect(await sweep()).toBe(0);
  expect(await sweep()).toBe(1);
});

it("hands out each job once when two sweep at the same time", async () => {
  await engine.publish("OrderCreated", 500);
  for (let i = 0; i < 10; i++) await claimOne(engine, 2);
  const both = [newSweeper({ worker: 98 }), newSweeper({ worker: 99 })];
  let putBack = 0;
  await eventually(async () => {
    for (const jobs of await Promise.all(both.map((sweep) => sweep()))) putBack += jobs;
    expect(putBack).toBeGreaterThanOrEqual(10);
  });
  expect(putBack).toBe(10);
  expect(await engine.leftovers()).toEqual({ claims: 0, jobs: 10 });
});

it("does not take another one that looks at the same time for a living worker", async () => {
  await engine.publish("OrderCreated");
  await claimOne(engine, 2);
  await withTransaction(engine.db, async (tx) => {
    expect(await listGone(tx, 98)).toEqual([2]);
    expect(await listGone(engine.db, 99)).toEqual([2]);
  });
});
