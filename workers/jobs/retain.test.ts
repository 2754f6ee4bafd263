import { uuidv7 } from "uuidv7";
import { expect, it } from "vitest";
import { withTransaction } from "#db/client.ts";
import { listAuditRows } from "#db/queries/audit.ts";
import { readFeed } from "#db/queries/events.ts";
import { reopenDeliveries } from "#db/queries/replay-selection.ts";
import { readRetentionState } from "#db/queries/retention-state.ts";
import { INSTALLATION } from "#server/audit/append-audit.ts";
import { enqueueDeliveries } from "#server/queue/boss.ts";
import { beginRetention } from "#server/retention/retention-run.ts";
import { engineFor } from "#tests/engine-for.ts";
import { eventually } from "#tests/eventually.ts";
import { makePastDays, type PastRows, storePast } from "#tests/past-days.ts";
import { openReceiver } from "../delivery/fixtures/http-receiver.ts";
import { forkWorker } from "../delivery/fixtures/worker-process.ts";
import { expectWholeLog, type TestEngine } from "../delivery/test-support.ts";
import { retaining } from "./retain.ts";

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i);

let engine: TestEngine;
engineFor("each", (opened) => {
  engine = opened;
});

/** What must hold at every moment: the feed has no gap, nothing has lost what belongs to it, and nothing open has gone. */
async function expectWhole(): Promise<void> {
  const gaps = await engine.db.query(
    `select tenant_id from tenant_sequences c
      where last - purged <> (select count(*) from events e where e.tenant_id = c.tenant_id and e.sequence > c.purged)`,
  );
  expect(gaps).toEqual([]);
  const broken = await engine.db.query(
    `select d.id from deliveries d
      where d.attempts <> (select count(*) from attempts a where a.tenant_id = d.tenant_id and a.delivery_id = d.id)
         or (d.status = 'pending' and not exists (select 1 from events e where e.tenant_id = d.tenant_id and e.id = d.event_id))`,
  );
  expect(broken).toEqual([]);
}

it("goes on beside publishing, delivering, reading and replaying, and disturbs none of them", async () => {
  const { db, boss, log, tenantId } = engine;
  const receiver = await openReceiver();
  const endpoint = await engine.addEndpoint({ url: `${receiver.origin}/` });
  await makePastDays(db, range(3, 14));
  const past: PastRows[] = [];
  for (const ago of range(5, 14).reverse())
    for (let n = 0; n < 5; n++)
      past.push(await storePast(db, { tenantId, endpointId: endpoint.id, ago, status: "delivered" }));
  await engine.startWorker();

  let isOver = false;
  const whileItRuns = async (work: () => Promise<void>) => {
    let rounds = 0;
    while (!isOver) {
      await work();
      rounds++;
    }
    return rounds;
  };
  const publish = () =>
    whileItRuns(async () => {
      await engine.publish("Fresh", 3);
      engine.wake();
    });
  let position = "0";
  const readOn = () =>
    whileItRuns(async () => {
      const feed = { tenantId, after: position, types: null, limit: 1_000, span: 10_000, maxBytes: 1e6 };
      const page = await readFeed(db, feed);
      if (BigInt(position) < BigInt(page.purged)) position = page.purged;
      else
        for (const { sequence } of page.events) {
          expect(BigInt(sequence)).toBe(BigInt(position) + 1n);
          position = sequence;
        }
    });
  const list = () =>
    whileItRuns(async () => {
      await db.query("select id, status from deliveries where tenant_id = $1 order by id desc limit 50", [
        tenantId,
      ]);
      await db.query("select id from attempts where tenant_id = $1 limit 50", [tenantId]);
    });
  const replay = () =>
    whileItRuns(async () => {
      const { deliveryId: id } = past[Math.floor(Math.random() * past.length)] ?? expect.fail();
      const jobId = uuidv7();
      await withTransaction(db, async (tx) => {
        const from = { tenantId, statuses: ["delivered"], trigger: "replay" };
        if ((await reopenDeliveries(tx, from, [{ id, jobId }])).size === 1)
          await enqueueDeliveries(boss, tx, "deliver-replay", [{ id: jobId, tenantId, deliveryIds: [id] }]);
      });
      engine.wake();
    });

  const others = Promise.all([publish(), publish(), readOn(), list(), replay()]);
  let partitions = 0;
  for (const days of [10, 9, 8, 7, 6, 5]) {
    // Runs are repeated, as they are every quarter of an hour, until what is replayed has ended and nobody is in the way.
    for (let tries = 0; tries < 3; tries++) {
      const deps = { db, log, note: async () => {} };
      const { run } = await beginRetention(deps, { days, isForced: true, restMs: 0 });
      while (await run?.step());
      await run?.end();
      partitions += run?.dropped.length ?? 0;
    }
  }
  isOver = true;
  const rounds = await others;
  for (const count of rounds) expect(count).toBeGreaterThan(5);
  expect(partitions).toBeGreaterThan(12);
  await eventually(async () => expect(Object.keys(await engine.statuses())).toEqual(["delivered"]));
  await expectWhole();
  await expectWholeLog(engine);
});

it("is finished by the next worker, whenever kill -9 ends the one before", async () => {
  const { db, tenantId: short } = engine;
  await makePastDays(db, range(3, 12));
  await db.query(
    `insert into retention_state (ran_at, result, partitions, rows, accepted)
     values (now() - interval '1 hour', 'done', 0, 0, jsonb_build_object('at', now(), 'days', 6, 'tenants', '{}'::jsonb))`,
  );
  const ranAt = async () => (await readRetentionState(db))?.ranAt.getTime();
  const ranBefore = await ranAt();
  const [long] = await db.query<{ id: string }>(
    "insert into tenants (id, name, retention_days) values (gen_random_uuid(), 'Long', 60) returning id",
  );
  if (!long) throw new Error("no tenant");
  await db.query("insert into tenant_sequences (tenant_id, last) values ($1, 0)", [long.id]);
  const endpointId = uuidv7();
  // Of one day it is only a part that goes, in many transactions; others go whole.
  await storePast(db, { tenantId: long.id, endpointId, ago: 11, status: "delivered" });
  for (const ago of [12, 11, 10, 9, 8]) {
    const { eventId } = await storePast(db, { tenantId: short, endpointId, ago, status: "delivered" });
    if (ago !== 11) continue;
    await db.query(
      `insert into events (tenant_id, id, sequence, type, body, created_at)
       select $1, (left($2::text, 24) || lpad(to_hex(n + 1000000), 12, '0'))::uuid, c.last + n, 'Old', '{}', now()
         from tenant_sequences c, generate_series(1, 20000) n where c.tenant_id = $1`,
      [short, eventId],
    );
    await db.query("update tenant_sequences set last = last + 20000 where tenant_id = $1", [short]);
  }
  await storePast(db, { tenantId: short, endpointId, ago: 10, status: "pending" });
  const progress = async () => {
    const [row] = await db.query<{ at: string }>(
      `select (select count(*) from events) || '/' || (select count(*) from deliveries) || '/' || (select count(*) from attempts)
              || '/' || (select count(*) from pg_inherits where inhparent in ('events'::regclass, 'deliveries'::regclass, 'attempts'::regclass)) as at`,
    );
    return row?.at;
  };
  const isDone = async () => (await ranAt()) !== ranBefore;

  for (let kills = 0; kills < 4; kills++) {
    const before = await progress();
    const worker = await forkWorker(engine, { RETENTION_DAYS: "6" });
    await eventually(async () => expect(await progress()).not.toBe(before));
    worker.kill("SIGKILL");
    await worker.ended;
    await expectWhole();
  }
  await forkWorker(engine, { RETENTION_DAYS: "6" });
  await eventually(async () => expect(await isDone()).toBe(true));
  await expectWhole();
  const left = await db.query(
    "select tenant_id = $1 as short, count(*)::int as events from events group by 1 order by 1",
    [short],
  );
  expect(left).toEqual([
    { short: false, events: 1 },
    { short: true, events: 1 },
  ]);
  const dropped = (await listAuditRows(db, INSTALLATION)).filter(
    ({ action }) => action === "partitions.drop",
  );
  expect(new Set(dropped.map(({ target }) => target)).size).toBe(dropped.length);
  expect(dropped).toContainEqual(
    expect.objectContaining({
      actor: "system",
      after: expect.objectContaining({ table: "events", tenants: 1 }),
    }),
  );
});

it("is made by one worker at a time, and not again right after", async () => {
  const { db, log } = engine;
  await makePastDays(db, range(3, 12));
  const job = () => retaining({ db, log, now: () => new Date(), retentionDays: 7 });
  const finish = async (run: ReturnType<typeof job>) => {
    let rounds = 1;
    for (; (await run()) === "more"; rounds++);
    return rounds;
  };
  await Promise.all([finish(job()), finish(job()), finish(job())]);
  expect(await readRetentionState(db)).toMatchObject({ result: "done" });
  expect(await finish(job())).toBe(1);
});

it("says that it failed, and begins anew", async () => {
  const { db, log } = engine;
  await makePastDays(db, [12]);
  await db.query("alter table tenants rename column retention_days to gone");
  const run = retaining({ db, log, now: () => new Date(), retentionDays: 7 });
  await expect(run()).rejects.toThrow(/retention_days/);
  expect(await readRetentionState(db)).toMatchObject({
    result: "failed",
    reason: expect.stringMatching(/retention_days/),
  });
  await db.query("alter table tenants rename column gone to retention_days");
  while ((await run()) === "more");
  expect(await readRetentionState(db)).toMatchObject({ result: "done", reason: null });
});
