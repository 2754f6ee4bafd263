import { describe, expect, it } from "vitest";
import type { EndpointStatus } from "#contracts/endpoints.ts";
import { cancelDelivery } from "#server/deliveries/close-delivery.ts";
import { replayDelivery } from "#server/deliveries/replay-delivery.ts";
import { sendTestEvent } from "#server/endpoints/send-test-event.ts";
import { setEndpointStatus } from "#server/endpoints/set-endpoint-status.ts";
import { engineFor } from "#tests/engine-for.ts";
import { eventually } from "#tests/eventually.ts";
import { cancelQueued } from "#workers/jobs/cancel-queued.ts";
import { reconcileOrdered } from "#workers/jobs/queue-pending.ts";
import { reconcile } from "#workers/jobs/reconcile.ts";
import { releaseHeld } from "#workers/jobs/release-held.ts";
import { delivered, deliveryOf, expectNoQueue, gate, openOrdered, sequencesOf } from "./fixtures/ordered.ts";
import { expectNothingLeft, type TestEngine } from "./test-support.ts";
import { testContext } from "./testing-context.ts";

let engine: TestEngine;
engineFor("each", (opened) => {
  engine = opened;
});

const set = (id: string, status: EndpointStatus) =>
  setEndpointStatus(testContext(engine), { id, expectedVersions: null }, status);
const jobsDeps = () => ({ db: engine.db, boss: engine.boss, wakeWorkers: engine.wake });

describe("an ordered endpoint", () => {
  it("goes on as soon as the delivery that holds it up is cancelled", async () => {
    const { log, receiver } = await openOrdered((sequence) => (sequence === 1 ? 500 : 200));
    await engine.addEndpoint({ url: receiver.origin, ordered: true });
    await engine.publish("OrderCreated", 20);
    await engine.startWorker({ retryScale: 1_000 });
    await eventually(async () => expect((await deliveryOf(engine, 1)).status).toBe("pending"));
    await eventually(async () => expect((await deliveryOf(engine, 1)).attempts).toBe(1));
    await eventually(async () => expect((await deliveryOf(engine, 1)).status).toBe("pending"));
    expect(log.firsts).toEqual([1]);
    await eventually(async () => cancelDelivery(testContext(engine), await deliveryOf(engine, 1), {}));
    await eventually(async () => expect(await engine.statuses()).toEqual({ cancelled: 1, delivered: 19 }));
    expect(log.firsts).toEqual(Array.from({ length: 20 }, (_, i) => i + 1));
    await expectNoQueue(engine);
  });

  it("gets a delivery again that is replayed, alone and before what comes later", async () => {
    const held = gate();
    let isWell = false;
    const { log, receiver } = await openOrdered(async (sequence) => {
      if (sequence === 4) await held.promise;
      return sequence === 2 && !isWell ? 400 : 200;
    });
    await engine.addEndpoint({ url: receiver.origin, ordered: true });
    await engine.publish("OrderCreated", 4);
    await engine.startWorker();
    await eventually(() => expect(log.firsts).toEqual([1, 2, 3, 4]));
    await engine.publish("OrderCreated", 3);
    await eventually(async () => expect((await deliveryOf(engine, 2)).status).toBe("failed"));
    isWell = true;
    await replayDelivery(testContext(engine), await deliveryOf(engine, 2));
    engine.wake();
    // It has joined the queue, and waits for the request that is under way.
    await eventually(async () =>
      expect((await engine.db.query("select 1 from ordered_deliveries where sequence = 2")).length).toBe(1),
    );
    held.open();
    await delivered(engine, 7);
    expect(log.mostOpen).toBe(1);
    const [first, ...others] = sequencesOf(receiver.received).slice(4);
    expect(first).toBe(2);
    expect(others).toEqual(others.toSorted((a, b) => a - b));
    expect(receiver.received).toHaveLength(8);
    await expectNoQueue(engine);
  });

  it("keeps its order while it is paused, and gets it when it is enabled", async () => {
    const { log, receiver } = await openOrdered(() => 200);
    const { id } = await engine.addEndpoint({ url: receiver.origin, ordered: true });
    await engine.startWorker();
    await engine.publish("OrderCreated", 5);
    engine.wake();
    await delivered(engine, 5);
    await set(id, "paused");
    await engine.publish("OrderCreated", 50);
    engine.wake();
    // The job that found it paused is done, and none follows.
    await expectNothingLeft(engine);
    await sendTestEvent(testContext(engine), id, { type: "Ping", data: undefined });
    engine.wake();
    await eventually(async () => expect(await engine.statuses()).toEqual({ delivered: 6, pending: 50 }));
    expect(await reconcile(engine)).toEqual({ strays: 0, next: undefined });
    expect(await reconcileOrdered(engine)).toBe(0);
    await set(id, "enabled");
    expect(await releaseHeld(jobsDeps())).toBe(true);
    await delivered(engine, 57);
    expect(log.firsts.filter((sequence) => sequence <= 55)).toEqual(
      Array.from({ length: 55 }, (_, i) => i + 1),
    );
    await expectNoQueue(engine);
  });

  it("has its queue cancelled when it is disabled, and is fresh when it is enabled again", async () => {
    const { log, receiver } = await openOrdered((sequence) => (sequence === 1 ? 500 : 200));
    const { id } = await engine.addEndpoint({ url: receiver.origin, ordered: true });
    await engine.publish("OrderCreated", 100);
    await engine.startWorker({ retryScale: 1_000 });
    await eventually(async () => expect((await deliveryOf(engine, 1)).attempts).toBe(1));
    await set(id, "disabled");
    expect(await cancelQueued(engine)).toBe(true);
    await eventually(async () => expect(await engine.statuses()).toEqual({ cancelled: 100 }));
    await expectNoQueue(engine);
    await set(id, "enabled");
    await releaseHeld(jobsDeps());
    await engine.publish("OrderCreated", 10);
    engine.wake();
    await eventually(async () => expect(await engine.statuses()).toEqual({ cancelled: 100, delivered: 11 }));
    expect(log.firsts[0]).toBe(1);
    expect(log.firsts.slice(1).toSorted((a, b) => a - b)).toHaveLength(11);
    await expectNoQueue(engine);
  });

  it("gives its queue back when its worker stops, and none of it counts as lost", async () => {
    const held = gate();
    const { log, receiver } = await openOrdered(async (sequence) => {
      if (sequence === 5) await held.promise;
      return 200;
    });
    await engine.addEndpoint({ url: receiver.origin, ordered: true });
    const first = await engine.startWorker();
    await engine.publish("OrderCreated", 40);
    engine.wake();
    await eventually(() => expect(log.firsts).toHaveLength(5));
    const stopped = first.stop();
    held.open();
    await stopped;
    expect((await engine.leftovers()).claims).toBe(0);
    await engine.startWorker();
    await delivered(engine, 40);
    log.expectOrder();
    expect(receiver.received).toHaveLength(40);
    await expectNoQueue(engine);
  });
});
