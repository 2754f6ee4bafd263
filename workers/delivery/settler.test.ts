import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { withTransaction } from "#db/client.ts";
import type { SettleRow } from "#db/queries/settle.ts";
import { eventually } from "#tests/eventually.ts";
import { claimJobs } from "./claim-jobs.ts";
import { Settler, type Written } from "./settler.ts";
import { claimOne, expectNothingLeft, openEngineAlone, resultOf, type TestEngine } from "./test-support.ts";
import type { Chunk } from "./types.ts";

let engine: TestEngine;
let written: Written[];
let settler: Settler;

beforeAll(async () => {
  engine = await openEngineAlone();
});
afterAll(() => engine?.close());
beforeEach(async () => {
  await engine.clear();
  written = [];
  settler = new Settler({
    ...engine,
    aftermath: { store: async () => {} },
    worker: () => 1,
    onWritten: (what) => written.push(what),
  });
});

const soon = () => performance.now() + 10_000;

const jobsOf = (queue: string) =>
  engine.db.query<{ id: string; startAfter: Date; state: string }>(
    `select id, start_after as "startAfter", state from pgboss.job where name = $1`,
    [queue],
  );

describe("settling", () => {
  it("writes the attempt, the delivery and the retry at its exact time, and ends the job", async () => {
    await engine.publish("OrderCreated");
    const claimed = await claimOne(engine);
    const row = resultOf(claimed, 500);
    settler.settle(row, claimed.chunk);
    expect(settler.pending).toBe(1);
    expect(await settler.drain(soon())).toBe(0);

    expect(await engine.deliveries()).toMatchObject([
      {
        status: "pending",
        attempts: 1,
        jobId: row.jobId,
        nextAttemptAt: row.nextAttemptAt,
        failureReason: "http_500",
      },
    ]);
    expect(await engine.attempts()).toMatchObject([
      { number: 1, outcome: "retry", responseStatus: 500, worker: 1 },
    ]);
    expect(await jobsOf("deliver-retry")).toEqual([
      { id: row.jobId, startAfter: row.nextAttemptAt, state: "created" },
    ]);
    expect(await engine.leftovers()).toEqual({ claims: 0, jobs: 1 });
    expect(written).toMatchObject([{ retriesAt: [row.nextAttemptAt], done: [claimed.chunk] }]);
  });

  it("ends a job with the last of its deliveries, not before", async () => {
    await engine.publish("OrderCreated", 3);
    const claimed = await claimOne(engine);
    settler.settle(resultOf(claimed, 200), claimed.chunk);
    await eventually(() => expect(settler.pending).toBe(0));
    expect(await engine.leftovers()).toEqual({ claims: 1, jobs: 1 });
    settler.close(claimed.chunk);
    settler.close(claimed.chunk);
    await settler.drain(soon());
    await expectNothingLeft(engine);
  });

  it("changes nothing when the same results are written once more", async () => {
    await engine.publish("OrderCreated");
    const claimed = await claimOne(engine);
    const row = resultOf(claimed, 500);
    settler.settle(row, { ...claimed.chunk });
    await eventually(() => expect(written).toHaveLength(1));
    const before = [await engine.deliveries(), await engine.attempts(), await jobsOf("deliver-retry")];
    settler.settle(row, { ...claimed.chunk });
    await settler.drain(soon());
    expect(written).toHaveLength(2);
    expect([await engine.deliveries(), await engine.attempts(), await jobsOf("deliver-retry")]).toEqual(
      before,
    );
  });

  it("writes hundreds of results in a few transactions", async () => {
    await engine.publish("OrderCreated", 600);
    const chunks: { chunk: Chunk; rows: SettleRow[] }[] = [];
    for (let i = 0; i < 12; i++) {
      const { due, chunk } = await claimOne(engine);
      const mine = (await engine.deliveries()).filter(({ jobId }) => jobId === chunk.id);
      chunks.push({ chunk, rows: mine.map(({ id }) => resultOf({ due: { ...due, id }, chunk }, 200)) });
    }
    for (const { chunk, rows } of chunks) for (const row of rows) settler.settle(row, chunk);
    await settler.drain(soon());
    expect(written.length).toBeLessThan(8);
    expect(await engine.statuses()).toEqual({ delivered: 600 });
    expect(await engine.attempts()).toHaveLength(600);
    await expectNothingLeft(engine);
  });
});

it("counts one result of a try, should there be two", async () => {
  await engine.publish("OrderCreated");
  const { chunk, ...claimed } = await claimOne(engine, 1);
  chunk.open = 2;
  settler.settle(resultOf({ chunk, ...claimed }, 200), chunk);
  settler.settle(resultOf({ chunk, ...claimed }, 200), chunk);
  await settler.drain(soon());
  expect(await engine.attempts()).toMatchObject([{ number: 1, outcome: "ok" }]);
  expect(await engine.deliveries()).toMatchObject([{ status: "delivered", attempts: 1 }]);
  await expectNothingLeft(engine);
});

describe("trouble", () => {
  it("of a deadlock costs a pause and no result", async () => {
    await engine.publish("OrderCreated", 2);
    const claimed = await claimOne(engine);
    const [first, second] = await engine.deliveries();
    const rows = [second, first].map((one) =>
      resultOf({ ...claimed, due: { ...claimed.due, id: one?.id ?? "" } }, 200),
    );
    const lock = (tx: { query: TestEngine["db"]["query"] }, id = "") =>
      tx.query("select 1 from deliveries where id = $1 for update", [id]);
    // Another transaction takes the rows in the other order: it holds the last one and will ask for the first.
    const other = withTransaction(engine.db, async (tx) => {
      await lock(tx, second?.id);
      for (const row of rows) settler.settle(row, claimed.chunk);
      await eventually(async () => {
        const waiting = await engine.db.query("select 1 from pg_locks where not granted");
        expect(waiting.length).toBeGreaterThan(0);
      });
      await lock(tx, first?.id);
    });
    await Promise.allSettled([other]);
    expect(await settler.drain(soon())).toBe(0);
    expect(await engine.statuses()).toEqual({ delivered: 2 });
    expect(await engine.attempts()).toHaveLength(2);
    await expectNothingLeft(engine);
  });

  it("with one result holds up none of the others, and its delivery stays for the reconciler", async () => {
    await engine.publish("OrderCreated", 3);
    const claimed = await claimOne(engine);
    const rows = (await engine.deliveries()).map(({ id }) =>
      resultOf({ ...claimed, due: { ...claimed.due, id } }, 200),
    );
    if (rows[1]) rows[1].url = "\u0000";
    for (const row of rows) settler.settle(row, claimed.chunk);
    await settler.drain(soon());
    expect(await engine.statuses()).toEqual({ delivered: 2, pending: 1 });
    await expectNothingLeft(engine);
  });

  it("that does not end does not keep a worker from stopping", async () => {
    await engine.publish("OrderCreated");
    const claimed = await claimOne(engine);
    await withTransaction(engine.db, async (tx) => {
      await tx.query("lock table deliveries in access exclusive mode");
      settler.settle(resultOf(claimed, 200), claimed.chunk);
      const startedAt = performance.now();
      expect(await settler.drain(startedAt + 300)).toBe(1);
      expect(performance.now() - startedAt).toBeLessThan(5_000);
    });
    await eventually(async () => expect(await engine.statuses()).toEqual({ delivered: 1 }));
  });
});

it("leaves the claim on a job that another worker has taken over", async () => {
  await engine.publish("OrderCreated");
  const claimed = await claimOne(engine, 1);
  await engine.boss.fail("deliver", claimed.chunk.id);
  await claimJobs({ ...engine, worker: () => 2, onLost() {} }, { queue: "deliver", limit: 1 });
  settler.close(claimed.chunk);
  await settler.drain(soon());
  expect(await engine.leftovers()).toEqual({ claims: 1, jobs: 1 });
});
