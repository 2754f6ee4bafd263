import { uuidv7 } from "uuidv7";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ReplaySelection } from "#contracts/replays.ts";
import { withTransaction } from "#db/client.ts";
import { endReplay, findReplay, insertReplay } from "#db/queries/replays.ts";
import { enqueueStep } from "#server/replays/enqueue-step.ts";
import { createTestDatabase, type TestDatabase } from "#tests/database.ts";
import { openEngine, type TestEngine } from "../delivery/test-support.ts";
import { restartReplays } from "./restart-replays.ts";
import { stepReplays } from "./step-replays.ts";

let database: TestDatabase;
let engine: TestEngine;
let endpointId: string;
let now: Date;
let woken: number;

beforeEach(async () => {
  database = await createTestDatabase();
  engine = await openEngine(database.url);
  ({ id: endpointId } = await engine.addEndpoint({ url: "https://example.com" }));
  now = new Date();
  woken = 0;
});
afterEach(async () => {
  await engine?.close();
  await database?.drop();
});

const step = () =>
  stepReplays({
    db: engine.db,
    boss: engine.boss,
    log: engine.log,
    now: () => now,
    wakeWorkers: () => woken++,
  });

/** Publishes, and ends what was made of it. */
async function settled(count: number, status: string): Promise<void> {
  await engine.publish("Order", count);
  await setAll("pending", status);
}
const setAll = (from: string, to: string) =>
  engine.db.query("update deliveries set status = $2, job_id = gen_random_uuid() where status = $1", [
    from,
    to,
  ]);

/** Makes a replay of all that failed, unless its selection says otherwise, with the job of its first step. */
function start(selection: ReplaySelection = { from: "2020-01-01T00:00:00Z", to: "2100-01-01T00:00:00Z" }) {
  const { tenantId, boss, db } = engine;
  const id = uuidv7();
  const createdAt = new Date(Date.now() + 1_000);
  const row = {
    id,
    endpointId,
    kind: "replay",
    selection: { statuses: ["failed"], ...selection },
    total: 0,
    createdAt,
    createdBy: { kind: "api_key", id: null, name: null },
  };
  return withTransaction(db, async (tx) => {
    await insertReplay(tx, tenantId, row);
    await enqueueStep(boss, tx, { tenantId, replayId: id });
    return id;
  });
}
const read = (id: string) => findReplay(engine.db, engine.tenantId, id);
const dueNow = () => engine.db.query("update pgboss.job set start_after = now() where name = 'replays'");
const jobs = () =>
  engine.db.query<{ data: { replayId: string }; inMs: number }>(
    `select data, extract(epoch from start_after - now())::float8 * 1000 as "inMs" from pgboss.job
      where name = 'replays' and state = 'created' order by created_on`,
  );

describe("a step of a replay", () => {
  it("puts back as many as may wait untried, in jobs of fifty, and wakes the workers", async () => {
    await settled(1_200, "failed");
    const id = await start();
    expect(await step()).toBe(true);
    expect(await engine.statuses()).toEqual({ pending: 500, failed: 700 });
    expect(await read(id)).toMatchObject({ status: "running", putBack: 500, total: 500, done: 0 });
    const queued = await engine.db.query<{ data: { deliveryIds: string[] } }>(
      "select data from pgboss.job where name = 'deliver-replay'",
    );
    expect(queued).toHaveLength(10);
    expect(queued.every(({ data }) => data.deliveryIds.length === 50)).toBe(true);
    expect(woken).toBe(1);

    // As long as none of them has been tried, no more.
    await dueNow();
    await step();
    expect(await engine.statuses()).toEqual({ pending: 500, failed: 700 });
    // Those that wait for a retry hold nothing up.
    await engine.db.query(
      "update deliveries set step = 1, next_attempt_at = now() + interval '1 hour' where status = 'pending'",
    );
    await dueNow();
    await step();
    expect(await engine.statuses()).toEqual({ pending: 1_000, failed: 200 });
    await setAll("pending", "delivered");
    await engine.db.query("update replay_items set check_at = now()");
    for (let round = 0; round < 2; round++) {
      await dueNow();
      await step();
      await setAll("pending", "failed");
    }
    await dueNow();
    await step();
    expect(await read(id)).toMatchObject({
      status: "completed",
      total: 1_200,
      done: 1_200,
      succeeded: 1_000,
      failed: 200,
    });
    expect(await jobs()).toEqual([]);
    expect(await engine.db.query("select * from replay_items")).toEqual([]);
  });

  it("leaves alone what is no longer as it was selected, and says so in the total", async () => {
    await settled(10, "failed");
    const id = await start();
    await engine.db.query(
      "update deliveries set status = 'dismissed' where id in (select id from deliveries limit 4)",
    );
    await step();
    expect(await read(id)).toMatchObject({ putBack: 6, total: 6 });
    expect(await engine.statuses()).toEqual({ pending: 6, dismissed: 4 });
  });

  it("does not put back what was cancelled while its request is under way", async () => {
    await settled(2, "cancelled");
    await engine.db.query(
      `insert into claims (job_id, queue, worker, tenant_id, delivery_ids)
       select job_id, 'deliver', 1, tenant_id, array[id] from deliveries limit 1`,
    );
    await start({ from: "2020-01-01T00:00:00Z", to: "2100-01-01T00:00:00Z", statuses: ["cancelled"] });
    await step();
    expect(await engine.statuses()).toEqual({ pending: 1, cancelled: 1 });
  });

  it("is made by one of several workers at a time", async () => {
    await settled(100, "failed");
    const id = await start();
    await Promise.all(Array.from({ length: 6 }, step));
    expect(await read(id)).toMatchObject({ putBack: 100 });
    expect(await engine.db.query("select * from pgboss.job where name = 'deliver-replay'")).toHaveLength(2);
    expect(await engine.statuses()).toEqual({ pending: 100 });
    expect(await jobs()).toHaveLength(1);
  });

  it("that fails keeps nobody else's replay waiting, and is tried again later", async () => {
    await settled(5, "failed");
    const broken = await start({ from: "never" });
    await start();
    for (let round = 0; round < 3; round++) await step();
    expect(await engine.statuses()).toEqual({ pending: 5 });
    expect(await read(broken)).toMatchObject({ status: "queued", putBack: 0 });
    const [later] = (await jobs()).filter(({ data }) => data.replayId === broken);
    expect(later?.inMs).toBeGreaterThan(1_000);
  });

  it("that was cancelled puts nothing back, and ends when what is under way has ended", async () => {
    await settled(700, "failed");
    const id = await start();
    await step();
    await withTransaction(engine.db, (tx) =>
      endReplay(tx, engine.tenantId, { id, status: "cancelled", at: now }),
    );
    await dueNow();
    await step();
    expect(await engine.statuses()).toEqual({ pending: 500, failed: 200 });
    expect(await jobs()).toHaveLength(1);
    await setAll("pending", "delivered");
    await dueNow();
    await step();
    expect(await read(id)).toMatchObject({ status: "cancelled", done: 500, succeeded: 500 });
    expect(await jobs()).toEqual([]);
  });

  it("waits while the endpoint is paused, and ends the replay when it is disabled", async () => {
    await settled(5, "failed");
    const id = await start();
    const become = (status: string) => engine.db.query("update webhook_endpoints set status = $1", [status]);
    await become("paused");
    await step();
    expect(await engine.statuses()).toEqual({ failed: 5 });
    expect(await read(id)).toMatchObject({ status: "running", completedAt: null });
    await become("disabled");
    await dueNow();
    await step();
    expect(await read(id)).toMatchObject({ status: "cancelled", completedAt: now });
    expect(await engine.statuses()).toEqual({ failed: 5 });
    expect(await jobs()).toEqual([]);
  });

  it("looks at what it does not find in parts, and goes on at once", async () => {
    await settled(2_500, "delivered");
    await settled(1, "failed");
    const id = await start();
    for (let round = 0; round < 2; round++) {
      expect(await step()).toBe(true);
      expect(await read(id)).toMatchObject({ status: "running", phase: "deliveries", putBack: 0 });
      const [next] = await jobs();
      expect(next?.inMs).toBeLessThan(100);
    }
    expect(await step()).toBe(true);
    expect(await read(id)).toMatchObject({ phase: "done", putBack: 1 });
  });
});

it("is made although its job was deleted: a replay gets a new one, and only one", async () => {
  await settled(5, "failed");
  await start();
  expect(await restartReplays(engine)).toBe(0);
  await engine.db.query("delete from pgboss.job where name = 'replays'");
  await Promise.all([1, 2, 3].map(() => restartReplays(engine)));
  expect(await jobs()).toHaveLength(1);
  await step();
  expect(await engine.statuses()).toEqual({ pending: 5 });
});
