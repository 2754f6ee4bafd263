import { Registry } from "prom-client";
import { uuidv7 } from "uuidv7";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { connect, type Db } from "#db/client.ts";
import { WORKER_LOCK_CLASS } from "#db/queries/claims.ts";
import { saveRetentionState } from "#db/queries/retention-state.ts";
import { openSession } from "#db/session.ts";
import { createTestDatabase, type TestDatabase } from "#tests/database.ts";
import { daysAgo, makePastDays, storePast } from "#tests/past-days.ts";
import { DELIVERY_QUEUE_NAMES } from "../queue/queues.ts";
import { type DatabaseFigures, databaseFigures } from "./database-figures.ts";
import { databaseMetrics } from "./database-metrics.ts";

let database: TestDatabase;
let db: Db;
beforeAll(async () => {
  database = await createTestDatabase();
  db = connect(database.url, { name: "figures-test", maxConnections: 3 });
});
afterEach(() => db.query("truncate deliveries, undelivered, claims; delete from pgboss.job"));
afterAll(async () => {
  await db.close();
  await database.drop();
});

const IDLE: DatabaseFigures = {
  pending: { due: 0, scheduled: 0, paused: 0, oldestDueSeconds: 0, oldestPausedSeconds: 0 },
  ended: { failed: 0, cancelled: 0, dismissed: 0 },
  workers: 0,
  waiting: DELIVERY_QUEUE_NAMES.map((queue) => ({ queue, deliveries: 0 })),
  claims: 0,
  breakers: { open: 0, half_open: 0 },
  retention: { oldestPartitions: expect.any(Array), oldestEvent: undefined, last: undefined },
};
const UNKNOWN: DatabaseFigures = {
  pending: undefined,
  ended: undefined,
  workers: undefined,
  waiting: undefined,
  claims: undefined,
  breakers: undefined,
  retention: undefined,
};
/** Puts a job of so many deliveries into a queue, to be looked at so many seconds from now. */
const addJob = (queue: string, deliveries: number, inSeconds = -1, state = "created") =>
  db.query(
    `insert into pgboss.job (name, data, state, policy, start_after)
     values ($1, $2, $3, 'standard', now() + make_interval(secs => $4))`,
    [
      queue,
      JSON.stringify({ deliveryIds: Array.from({ length: deliveries }, () => uuidv7()) }),
      state,
      inSeconds,
    ],
  );

const addDelivery = (dueSecondsAgo: number, status = "pending") =>
  db.query(
    `insert into deliveries (tenant_id, id, event_id, endpoint_id, event_type, status, next_attempt_at, job_id, created_at)
     values ($1, $1, $1, $1, 'a', $2, now() - make_interval(secs => $3), $1, now())`,
    [uuidv7(), status, dueSecondsAgo],
  );

const addClaim = () =>
  db.query(
    "insert into claims (job_id, queue, worker, tenant_id, delivery_ids) values ($1, 'deliver', 1, $1, array[$1]::uuid[])",
    [uuidv7()],
  );

describe("the figures of the database", () => {
  it("are all zero when there is nothing to do", async () => {
    expect(await databaseFigures(db)()).toEqual(IDLE);
  });

  it("tell how far back what is kept reaches, and how retention went", async () => {
    await makePastDays(db, [9, 5]);
    const tenantId = uuidv7();
    await db.query("insert into tenants (id, name) values ($1, 'Acme')", [tenantId]);
    await db.query("insert into tenant_sequences (tenant_id, last) values ($1, 0)", [tenantId]);
    await storePast(db, { tenantId, endpointId: tenantId, ago: 5 });
    const run = { partitions: 0, rows: 0, accepted: null };
    await saveRetentionState(db, { result: "refused", reason: "too much", ...run });
    const { retention } = await databaseFigures(db)();
    expect(retention).toMatchObject({
      oldestPartitions: ["events", "deliveries", "attempts"].map((table) => ({ table, day: daysAgo(9) })),
      last: { result: "refused", reason: "too much" },
    });
    expect(retention?.oldestEvent).toBeGreaterThan(daysAgo(5));
    expect(retention?.oldestEvent).toBeLessThan(daysAgo(4));
    const registry = new Registry();
    databaseMetrics(registry, databaseFigures(db));
    const text = await registry.metrics();
    for (const line of [
      `posthorn_oldest_partition_timestamp_seconds{table="events"} ${daysAgo(9) / 1000}`,
      `posthorn_oldest_event_timestamp_seconds ${(retention?.oldestEvent ?? 0) / 1000}`,
      `posthorn_retention_last_run_timestamp_seconds ${(retention?.last?.ranAt.getTime() ?? 0) / 1000}`,
      'posthorn_retention_last_run_result{result="refused"} 1',
      'posthorn_retention_last_run_result{result="done"} 0',
    ])
      expect(text).toContain(`${line}\n`);
    await db.query("truncate retention_state, events");
  });

  it("tell what is due, by queue, and neither what is taken nor what is still to come", async () => {
    await addJob("deliver", 50);
    await addJob("deliver", 7);
    await addJob("deliver-retry", 3, -10, "retry");
    await addJob("deliver-retry", 1, 3600);
    await addJob("deliver-slow", 20, -1, "active");
    await addJob("deliver-slow", 20, -1, "completed");
    await addDelivery(120);
    await addDelivery(9);
    await addDelivery(-3600);
    await addDelivery(900, "failed");
    await addClaim();
    await addDelivery(400, "cancelled");
    const { pending, ended, waiting, claims } = await databaseFigures(db)();
    expect(pending).toMatchObject({ due: 2, scheduled: 1, paused: 0, oldestPausedSeconds: 0 });
    expect(pending?.oldestDueSeconds).toBeGreaterThanOrEqual(120);
    expect(pending?.oldestDueSeconds).toBeLessThan(150);
    expect(ended).toEqual({ failed: 1, cancelled: 1, dismissed: 0 });
    expect(waiting).toEqual([
      { queue: "deliver", deliveries: 57 },
      { queue: "deliver-retry", deliveries: 3 },
      { queue: "deliver-replay", deliveries: 0 },
      { queue: "deliver-slow", deliveries: 0 },
      { queue: "deliver-suspect", deliveries: 0 },
      { queue: "deliver-ordered", deliveries: 0 },
    ]);
    expect(claims).toBe(1);
  });

  it("show what is held for paused endpoints apart: it is due at no time", async () => {
    await addDelivery(30);
    await db.query("update deliveries set next_attempt_at = null");
    await db.query("update undelivered set created_at = now() - interval '2 hours'");
    const { pending } = await databaseFigures(db)();
    expect(pending).toMatchObject({ due: 0, scheduled: 0, paused: 1, oldestDueSeconds: 0 });
    expect(pending?.oldestPausedSeconds).toBeGreaterThanOrEqual(7_200);
  });

  it("count a worker as long as its session lives", async () => {
    const session = await openSession(database.url, "lease");
    await session.query("select pg_advisory_lock($1, 5)", [WORKER_LOCK_CLASS]);
    expect((await databaseFigures(db)()).workers).toBe(1);
    await session.close();
    await expect.poll(async () => (await databaseFigures(db)()).workers).toBe(0);
  });

  it("are read once for all who ask, and again when they are old", async () => {
    const read = databaseFigures(db, { maxAgeMs: 300 });
    const [first, second] = await Promise.all([read(), read()]);
    expect(second).toBe(first);
    await addClaim();
    expect(await read()).toBe(first);
    await expect.poll(async () => (await read()).claims).toBe(1);
  });

  it("lack the one that takes too long, and no other", async () => {
    const session = await openSession(database.url, "lock");
    try {
      await session.query("begin");
      await session.query("lock table claims in access exclusive mode");
      expect(await databaseFigures(db)()).toEqual({ ...IDLE, claims: undefined });
    } finally {
      await session.close();
    }
  });

  it("are all missing past the deadline, while no more than one reading is under way", async () => {
    const session = await openSession(database.url, "lock");
    const read = databaseFigures(db, { deadlineMs: 50, maxAgeMs: 0 });
    try {
      await session.query("begin");
      await session.query("lock table undelivered in access exclusive mode");
      for (let scrape = 0; scrape < 4; scrape++) expect(await read()).toEqual(UNKNOWN);
      expect(db.pool.totalCount - db.pool.idleCount).toBe(1);
    } finally {
      await session.close();
    }
    await expect.poll(read).toEqual(IDLE);
  });

  it("are all missing when there is no database", async () => {
    const nowhere = connect("postgres://127.0.0.1:1/none", { name: "figures-test" });
    const figures = await databaseFigures(nowhere)();
    expect(figures).toEqual(UNKNOWN);
    await nowhere.close();
  });
});
