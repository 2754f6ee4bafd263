import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { isWorkerGone } from "#db/queries/claims.ts";
import { createTestDatabase, type TestDatabase } from "#tests/database.ts";
import { eventually } from "#tests/eventually.ts";
import { openDatabaseProxy } from "./fixtures/database-proxy.ts";
import { Lease, type LeaseDeps } from "./lease.ts";
import { claimOne, openEngine, type TestEngine } from "./test-support.ts";

let database: TestDatabase;
let engine: TestEngine;
let wakes: number;
let renewals: string[][];

beforeEach(async () => {
  database = await createTestDatabase();
  engine = await openEngine(database.url);
  await engine.addEndpoint({ url: "https://example.com" });
  wakes = 0;
  renewals = [];
});
afterEach(async () => {
  await engine?.close();
  await database?.drop();
});

function newLease(over: Partial<LeaseDeps> = {}): Lease {
  const lease = new Lease({
    db: engine.db,
    databaseUrl: database.url,
    log: engine.log,
    onWake: () => wakes++,
    onEndpoint: () => {},
    quiet: async () => {},
    heldJobs: () => [],
    onRenewed: (jobIds) => renewals.push([...jobIds]),
    ...over,
  });
  onTestFinished(() => lease.release());
  return lease;
}

const cutSessions = () =>
  engine.db.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = 'posthorn-lease'`,
  );
const claimants = () => engine.db.query("select job_id, worker from claims order by job_id");

describe("a lease", () => {
  it("holds the lock of its number until it is released, and hears wake-ups meanwhile", async () => {
    const lease = newLease();
    expect([lease.isHeld, lease.isSteady]).toEqual([false, false]);
    await lease.take();
    expect([lease.isHeld, lease.isSteady]).toEqual([true, true]);
    expect(await isWorkerGone(engine.db, lease.number)).toBe(false);
    engine.wake();
    await eventually(() => expect(wakes).toBe(1));
    await lease.release();
    expect(lease.isHeld).toBe(false);
    await eventually(async () => expect(await isWorkerGone(engine.db, lease.number)).toBe(true));
  });

  it("cannot be taken from a database that is away", async () => {
    const lease = newLease({ databaseUrl: "postgres://nobody@127.0.0.1:1/none" });
    await expect(lease.take()).rejects.toThrow("ECONNREFUSED");
    expect(lease.isHeld).toBe(false);
  });
});

describe("a lease whose session was cut", () => {
  it("is taken anew under another number, which gets the claims on the jobs that the worker knows of", async () => {
    const known: string[] = [];
    const lease = newLease({ heldJobs: () => known });
    await lease.take();
    const before = lease.number;
    await engine.publish("OrderCreated", 100);
    const mine = await claimOne(engine, before);
    const unknown = await claimOne(engine, before);
    known.push(mine.chunk.id);

    await cutSessions();
    await eventually(() => expect(renewals).toHaveLength(1));
    expect(renewals).toEqual([[mine.chunk.id]]);
    await eventually(() => expect(lease.isSteady).toBe(true));
    expect(lease.number).not.toBe(before);
    expect(await claimants()).toEqual(
      [
        { job_id: mine.chunk.id, worker: lease.number },
        { job_id: unknown.chunk.id, worker: before },
      ].sort((a, b) => (a.job_id < b.job_id ? -1 : 1)),
    );
    expect(wakes).toBeGreaterThan(0);
  });

  it("knows what others have taken meanwhile", async () => {
    const known: string[] = [];
    const lease = newLease({ heldJobs: () => known });
    await lease.take();
    await engine.publish("OrderCreated", 100);
    const kept = await claimOne(engine, lease.number);
    const lost = await claimOne(engine, lease.number);
    known.push(kept.chunk.id, lost.chunk.id);
    await engine.db.query("update claims set worker = 7 where job_id = $1", [lost.chunk.id]);
    await cutSessions();
    await eventually(() => expect(renewals).toEqual([[kept.chunk.id]]));
  });

  it("waits until no jobs are being taken, and lets none be taken until then", async () => {
    const quiet = Promise.withResolvers<void>();
    const lease = newLease({ quiet: () => quiet.promise });
    await lease.take();
    await cutSessions();
    await eventually(() => expect(lease.isHeld).toBe(false));
    expect(renewals).toEqual([]);
    quiet.resolve();
    await eventually(() => expect(lease.isSteady).toBe(true));
    expect(renewals).toEqual([[]]);
  });

  it("is taken anew as soon as the database is back, with the claims it had before", async () => {
    const proxy = await openDatabaseProxy(database.url);
    const known: string[] = [];
    const lease = newLease({ databaseUrl: proxy.url, heldJobs: () => known });
    await lease.take();
    await engine.publish("OrderCreated");
    const { chunk } = await claimOne(engine, lease.number);
    known.push(chunk.id);
    const before = lease.lostAt;
    proxy.cut();
    await eventually(() => expect(lease.isHeld).toBe(false));
    expect(lease.lostAt).toBeGreaterThan(before);
    proxy.restore();
    await eventually(() => expect(lease.isSteady).toBe(true));
    expect(renewals).toEqual([[chunk.id]]);
  });

  it("is noticed although the server vanished without a word", async () => {
    const proxy = await openDatabaseProxy(database.url);
    const lease = newLease({ databaseUrl: proxy.url });
    await lease.take();
    const before = lease.number;
    proxy.freeze();
    await eventually(() => expect(lease.number).not.toBe(before));
    expect(lease.isSteady).toBe(true);
  });
});

describe("a lease that is renewed", () => {
  it("is held all the time, may not be claimed under meanwhile, and leaves unknown claims to be found", async () => {
    const quiet = Promise.withResolvers<void>();
    const lease = newLease({ quiet: () => quiet.promise });
    await lease.take();
    const before = lease.number;
    await engine.publish("OrderCreated");
    await claimOne(engine, before);

    const renewing = lease.renew();
    expect([lease.isHeld, lease.isSteady]).toEqual([true, false]);
    await lease.renew();
    expect(await isWorkerGone(engine.db, before)).toBe(false);
    quiet.resolve();
    await renewing;
    expect([lease.isHeld, lease.isSteady]).toEqual([true, true]);
    expect(await claimants()).toMatchObject([{ worker: before }]);
    await eventually(async () => expect(await isWorkerGone(engine.db, before)).toBe(true));
  });

  it("stays usable when the session is cut in the middle", async () => {
    const quiet = Promise.withResolvers<void>();
    const lease = newLease({ quiet: () => quiet.promise });
    await lease.take();
    const before = lease.number;
    const renewing = lease.renew();
    await cutSessions();
    quiet.resolve();
    await renewing;
    await eventually(() => expect(lease.isSteady).toBe(true));
    expect(lease.number).not.toBe(before);
    expect(await isWorkerGone(engine.db, lease.number)).toBe(false);
  });

  it("is not left open when it is released in the middle", async () => {
    const quiet = Promise.withResolvers<void>();
    const lease = newLease({ quiet: () => quiet.promise });
    await lease.take();
    const renewing = lease.renew();
    await lease.release();
    quiet.resolve();
    await renewing;
    await eventually(async () =>
      expect(
        await engine.db.query(
          "select 1 from pg_stat_activity where datname = current_database() and application_name = 'posthorn-lease'",
        ),
      ).toEqual([]),
    );
    expect(lease.isHeld).toBe(false);
  });
});
