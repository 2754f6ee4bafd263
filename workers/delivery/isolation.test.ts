import { expect, it } from "vitest";
import { engineFor } from "#tests/engine-for.ts";
import { eventually } from "#tests/eventually.ts";
import { openReceiver } from "./fixtures/http-receiver.ts";
import type { TestEngine } from "./test-support.ts";

let engine: TestEngine;
engineFor("each", (opened) => {
  engine = opened;
});

/** How many deliveries of an endpoint there are of each status. */
async function statusesOf(endpointId: string): Promise<Record<string, number>> {
  const mine = (await engine.deliveries()).filter((delivery) => delivery.endpointId === endpointId);
  return Object.fromEntries(
    [...Map.groupBy(mine, ({ status }) => status)].map(([status, list]) => [status, list.length]),
  );
}

it("delivers 10,000 to healthy endpoints while 10,000 queued before them hang", async () => {
  const hanging = await openReceiver(() => {});
  const healthy = await openReceiver();
  const slow = await engine.addEndpoint({ url: hanging.origin, eventTypes: ["Slow"], timeoutMs: 1_000 });
  for (let i = 0; i < 20; i++)
    await engine.addEndpoint({ url: `${healthy.origin}/${i}`, eventTypes: [`T${i}`] });
  await engine.publish("Slow", 10_000);
  for (let i = 0; i < 20; i++) await engine.publish(`T${i}`, 500);

  await engine.startWorker({ retryScale: 1 });
  await eventually(() => expect(healthy.received).toHaveLength(10_000), 150_000);
  await eventually(async () => expect((await engine.statuses()).delivered).toBe(10_000));
  // Its requests go on meanwhile, no more at a time than it may have; nearly all of them are still to come.
  const { pending = 0 } = await statusesOf(slow.id);
  expect(pending).toBe(10_000);
  expect(hanging.received.length).toBeGreaterThan(0);
  expect(hanging.received.length).toBeLessThan(1_000);
  expect(hanging.open).toBeLessThanOrEqual(10);
  expect(hanging.doubled.size + healthy.doubled.size).toBe(0);
});

it("is not held up by an endpoint that answers steadily but has far more than it can take", async () => {
  const reluctant = await openReceiver(({ answer }) => void setTimeout(() => answer(200), 200));
  const healthy = await openReceiver();
  const crowded = await engine.addEndpoint({ url: reluctant.origin, eventTypes: ["Slow"], maxInFlight: 1 });
  await engine.addEndpoint({ url: healthy.origin, eventTypes: ["Fast"] });
  await engine.publish("Slow", 2_000);
  await engine.publish("Fast", 1_000);
  await engine.startWorker();
  await eventually(() => expect(healthy.received).toHaveLength(1_000));
  expect((await statusesOf(crowded.id)).pending).toBeGreaterThan(1_900);
});

it("drains what was put off at the endpoint's own pace as soon as it answers again", async () => {
  let isHanging = true;
  const receiver = await openReceiver((request) => {
    if (!isHanging) request.answer(200);
  });
  const { id } = await engine.addEndpoint({ url: receiver.origin, timeoutMs: 4_000 });
  await engine.publish("OrderCreated", 1_500);
  await engine.startWorker({ retryScale: 1 });
  const inSlowQueue = async () => {
    const [row] = await engine.db.query<{ jobs: number }>(
      "select count(*)::int as jobs from pgboss.job where name = 'deliver-slow'",
    );
    return row?.jobs ?? 0;
  };
  await eventually(async () => expect(await inSlowQueue()).toBeGreaterThan(100));
  const breakers = () => engine.db.query("select breaker_state as state from endpoint_health");
  await eventually(async () => expect(await breakers()).toEqual([{ state: "open" }]), 40_000);
  const tried = receiver.received.length;
  isHanging = false;
  // After some ten seconds its circuit breaker lets one through.
  await eventually(async () => expect(await breakers()).toEqual([{ state: "closed" }]));
  // In jobs of ten, one at a time: what is left would take a minute if each of them waited for the next poll.
  await eventually(async () => expect(await inSlowQueue()).toBe(0));
  await eventually(async () => expect((await statusesOf(id)).delivered).toBeGreaterThan(1_500 - tried - 20));
});

it("sends to a hundred hanging endpoints without taking from the budget of the others", async () => {
  const hanging = await openReceiver(() => {}, 4);
  const healthy = await openReceiver();
  // They time out before they count as slow: their requests come and go, until their circuit breakers open.
  for (let i = 0; i < 100; i++)
    await engine.addEndpoint({
      url: hanging.origins[i % 4] ?? "",
      eventTypes: [`Slow${i}`],
      timeoutMs: 1_000,
    });
  await engine.addEndpoint({ url: healthy.origin, eventTypes: ["Fast"] });
  for (let i = 0; i < 100; i++) await engine.publish(`Slow${i}`, 40);
  await engine.startWorker({ retryScale: 1 });
  await eventually(async () => {
    const rows = await engine.db.query(
      "select 1 from pgboss.job where name = 'deliver' and state = 'created' limit 1",
    );
    expect(rows).toEqual([]);
    expect(hanging.received.length).toBeGreaterThanOrEqual(1_000);
  });
  const hung = hanging.received.length;
  await engine.publish("Fast", 500);
  engine.wake();
  await eventually(() => expect(healthy.received).toHaveLength(500));
  // In turns with them, a hundred to one, it would have taken all that they had.
  expect(hanging.received.length - hung).toBeLessThan(2_000);
});
