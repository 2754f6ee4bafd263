import { describe, expect, it } from "vitest";
import { updateEndpoint } from "#server/endpoints/update-endpoint.ts";
import { engineFor } from "#tests/engine-for.ts";
import { eventually } from "#tests/eventually.ts";
import { queuePending } from "#workers/jobs/queue-pending.ts";
import { delivered, deliveryOf, expectNoQueue, openOrdered, sequencesOf } from "./fixtures/ordered.ts";
import { expectNothingLeft, expectWholeLog, type TestEngine } from "./test-support.ts";
import { testContext } from "./testing-context.ts";

let engine: TestEngine;
engineFor("each", (opened) => {
  engine = opened;
});

const setOrdered = (id: string, ordered: boolean) =>
  updateEndpoint(testContext(engine), { id, expectedVersions: null }, { ordered });
const jobsDeps = () => ({ db: engine.db, boss: engine.boss, wakeWorkers: engine.wake });

describe("switching the order", () => {
  it("on puts what is queued and what is retried into one line, and nothing overtakes", async () => {
    let isWell = false;
    const { log, receiver } = await openOrdered((sequence) => (isWell || sequence > 9 ? 200 : 500));
    const { id } = await engine.addEndpoint({ url: receiver.origin });
    await engine.publish("OrderCreated", 9);
    const worker = await engine.startWorker({ retryScale: 1 });
    await eventually(async () => expect(await engine.attempts()).toHaveLength(9));
    await worker.stop();
    await engine.publish("OrderCreated", 1_500);
    isWell = true;
    await setOrdered(id, true);
    await engine.publish("OrderCreated", 20);
    const before = receiver.received.length;
    await engine.startWorker({ retryScale: 1 });
    // Until all that was pending stands in line, nothing is sent.
    await eventually(async () =>
      expect((await engine.db.query("select 1 from ordered_deliveries")).length).toBeGreaterThan(20),
    );
    expect(receiver.received.length).toBe(before);
    expect(await queuePending(jobsDeps())).toBe(true);
    await delivered(engine, 1_529, 30_000);
    expect(sequencesOf(receiver.received.slice(before))).toEqual(
      Array.from({ length: 1_529 }, (_, i) => i + 1),
    );
    expect(receiver.doubled.size).toBe(0);
    expect(log.ended.size).toBe(1_529);
    await expectNoQueue(engine);
  });

  it("off sends at once what waited behind a delivery that fails, which keeps its retry", async () => {
    let isWell = false;
    const { log, receiver } = await openOrdered((sequence) => (sequence === 1 && !isWell ? 500 : 200));
    const { id } = await engine.addEndpoint({ url: receiver.origin, ordered: true });
    await engine.publish("OrderCreated", 200);
    await engine.startWorker({ retryScale: 0.5 });
    await eventually(async () => expect((await deliveryOf(engine, 1)).attempts).toBe(1));
    expect(log.firsts).toEqual([1]);
    await setOrdered(id, false);
    engine.wake();
    await eventually(async () => expect(await engine.statuses()).toEqual({ delivered: 199, pending: 1 }));
    isWell = true;
    await delivered(engine, 200);
    expect(receiver.received).toHaveLength(201);
    expect(receiver.doubled.size).toBe(0);
    await expectNoQueue(engine);
  });

  it("on and off again and again loses and doubles nothing", async () => {
    const { receiver } = await openOrdered((sequence, { headers }) =>
      sequence % 7 === 0 && headers["x-attempt"] === "1" ? 500 : 200,
    );
    const { id } = await engine.addEndpoint({ url: receiver.origin });
    await engine.startWorker();
    for (let round = 0; round < 10; round++) {
      await engine.publish("OrderCreated", 60);
      engine.wake();
      await setOrdered(id, round % 2 === 0);
      while (await queuePending(jobsDeps()));
    }
    await delivered(engine, 600, 30_000);
    expect(receiver.doubled.size).toBe(0);
    await expectWholeLog(engine);
    await expectNothingLeft(engine);
  });
});
