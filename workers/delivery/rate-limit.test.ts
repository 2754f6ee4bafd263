import { expect, it } from "vitest";
import { engineFor } from "#tests/engine-for.ts";
import { eventually } from "#tests/eventually.ts";
import { openReceiver } from "./fixtures/http-receiver.ts";
import { delivered, expectNoQueue, openOrdered } from "./fixtures/ordered.ts";
import { forkWorker } from "./fixtures/worker-process.ts";
import { expectNothingLeft, type TestEngine } from "./test-support.ts";

let engine: TestEngine;
engineFor("each", (opened) => {
  engine = opened;
});

/** The most requests to an endpoint that a worker has begun within any `withinMs`, by its own clock. */
async function mostWithin(endpointId: string, withinMs: number): Promise<number> {
  const deliveries = await engine.deliveries();
  const mine = new Set(deliveries.filter((each) => each.endpointId === endpointId).map(({ id }) => id));
  const times = (await engine.attempts())
    .filter(({ deliveryId }) => mine.has(deliveryId))
    .map(({ startedAt }) => startedAt.getTime())
    .toSorted((a, b) => a - b);
  let most = 0;
  for (let from = 0, to = 0; to < times.length; to++) {
    while ((times[to] ?? 0) - (times[from] ?? 0) >= withinMs) from++;
    most = Math.max(most, to - from + 1);
  }
  return most;
}

it("sends no more per second than the endpoint's rate, all of it in the end, and holds up nobody else", async () => {
  const limited = await openReceiver();
  const other = await openReceiver();
  const { id } = await engine.addEndpoint({ url: limited.origin, eventTypes: ["Limited"], rateLimit: 20 });
  await engine.addEndpoint({ url: other.origin, eventTypes: ["Free"] });
  await engine.publish("Limited", 2_000);
  await engine.publish("Free", 500);
  await engine.startWorker();
  await eventually(() => expect(other.received).toHaveLength(500));
  expect(limited.received.length).toBeLessThan(1_000);
  await eventually(() => expect(limited.received.length).toBeGreaterThan(150));
  // A worker that was busy may make up for a quarter of a second.
  expect(await mostWithin(id, 1_000)).toBeLessThanOrEqual(26);
  // In the queues is what waits, and hardly anything in the worker.
  const [jobs] = await engine.db.query<{ held: number }>(
    "select coalesce(sum(cardinality(delivery_ids)), 0)::int as held from claims",
  );
  expect(jobs?.held).toBeLessThanOrEqual(200);
});

it("shares the rate between workers", async () => {
  const receiver = await openReceiver();
  const { id } = await engine.addEndpoint({ url: receiver.origin, rateLimit: 40 });
  await engine.publish("OrderCreated", 400);
  await Promise.all([forkWorker(engine), forkWorker(engine)]);
  await delivered(engine, 400, 40_000);
  const times = receiver.received.map(({ at }) => at);
  const seconds = ((times.at(-1) ?? 0) - (times[0] ?? 0)) / 1_000;
  // Until they have heard of each other, each gives what it would alone: a quarter of a second's worth.
  expect(400 / seconds).toBeLessThan(46);
  expect(await mostWithin(id, 1_000)).toBeLessThanOrEqual(65);
  await expectNothingLeft(engine);
});

it("holds for an ordered endpoint too", async () => {
  const { log, receiver } = await openOrdered(() => 200);
  const { id } = await engine.addEndpoint({ url: receiver.origin, ordered: true, rateLimit: 10 });
  await engine.publish("OrderCreated", 60);
  await engine.startWorker();
  await delivered(engine, 60, 20_000);
  log.expectOrder();
  expect(await mostWithin(id, 1_000)).toBeLessThanOrEqual(13);
  await expectNoQueue(engine);
});
