import { expect, it } from "vitest";
import { withTransaction } from "#db/client.ts";
import { cancelPendingOfEndpoint } from "#db/queries/endpoint-health.ts";
import { engineFor } from "#tests/engine-for.ts";
import { eventually } from "#tests/eventually.ts";
import { openHoldingReceiver } from "./fixtures/http-receiver.ts";
import { forkWorker } from "./fixtures/worker-process.ts";
import { expectNothingLeft, expectWholeLog, type TestEngine } from "./test-support.ts";

let engine: TestEngine;
engineFor("each", (opened) => {
  engine = opened;
});

it("delivers everything after kill -9 of a worker with 1,000 requests under way, and logs the lost tries", async () => {
  // A worker has a hundred requests under way to one host and port.
  const receiver = await openHoldingReceiver(10);
  for (let i = 0; i < 100; i++)
    await engine.addEndpoint({
      url: `${receiver.origins[i % 10]}/${i}`,
      eventTypes: [`T${i}`],
      timeoutMs: 30_000,
    });
  for (let i = 0; i < 100; i++) await engine.publish(`T${i}`, 10);
  const first = await forkWorker(engine);
  await eventually(() => expect(receiver.open).toBe(1_000));

  const killedAt = Date.now();
  first.kill("SIGKILL");
  expect(await first.ended).toBe("SIGKILL");
  receiver.letGo();
  const second = await forkWorker(engine);
  const again = await eventually(() => receiver.received[1_000] ?? expect.fail("nothing was sent again"));
  expect(again.headers["x-attempt"]).toBe("2");
  await eventually(async () => expect(await engine.statuses()).toEqual({ delivered: 1_000 }));
  await expectNothingLeft(engine);

  const attempts = await engine.attempts();
  expect(attempts).toHaveLength(2_000);
  const lost = attempts.filter(({ number }) => number === 1);
  expect(lost).toHaveLength(1_000);
  for (const attempt of lost) expect(attempt).toMatchObject({ outcome: "lost", errorCode: "worker_lost" });
  expect(Math.min(...lost.map(({ startedAt }) => +startedAt))).toBeGreaterThanOrEqual(killedAt);
  expect(attempts.filter(({ outcome }) => outcome === "ok")).toHaveLength(1_000);
  await expectWholeLog(engine);
  expect(receiver.doubled.size).toBe(0);
  expect(second.log).toContain("jobs of a vanished worker put back");
});

it("hands a dead worker's deliveries to another one that is running, within two seconds", async () => {
  const receiver = await openHoldingReceiver();
  await engine.addEndpoint({ url: receiver.origin });
  const first = await forkWorker(engine);
  await engine.publish("OrderCreated", 10);
  engine.wake();
  await eventually(() => expect(receiver.open).toBe(10));
  await engine.startWorker();
  receiver.letGo();
  const killedAt = Date.now();
  first.kill("SIGKILL");
  const again = await eventually(() => receiver.received[10] ?? expect.fail("nothing was sent again"));
  expect(again.at - killedAt).toBeLessThan(2_000);
  await eventually(async () => expect(await engine.statuses()).toEqual({ delivered: 10 }));
  await expectNothingLeft(engine);
});

it.each([
  ["", false],
  [" of an ordered endpoint", true],
])(
  "logs the lost try of a delivery%s that was cancelled while its request was under way, once",
  async (_, ordered) => {
    const receiver = await openHoldingReceiver();
    const eventTypes = ["OrderCreated"];
    const { id: stays } = await engine.addEndpoint({ url: `${receiver.origin}/stays`, eventTypes });
    const { id: gone } = await engine.addEndpoint({ url: `${receiver.origin}/gone`, eventTypes, ordered });
    const first = await forkWorker(engine);
    await engine.publish("OrderCreated");
    engine.wake();
    await eventually(() => expect(receiver.open).toBe(2));
    const of = { tenantId: engine.tenantId, endpointId: gone };
    const all = {
      after: "00000000-0000-0000-0000-000000000000",
      before: "ffffffff-ffff-ffff-ffff-ffffffffffff",
    };
    await withTransaction(engine.db, (tx) => cancelPendingOfEndpoint(tx, { ...of, ...all, limit: 10 }));
    first.kill("SIGKILL");

    // What stays is sent again, and lost again together with the worker.
    const second = await forkWorker(engine);
    await eventually(() => expect(receiver.received).toHaveLength(3));
    await eventually(() => expect(receiver.open).toBe(1));
    second.kill("SIGKILL");
    receiver.letGo();
    await engine.startWorker();
    await expectNothingLeft(engine);

    expect(receiver.received).toHaveLength(4);
    const found = await engine.deliveries();
    expect(found.find(({ endpointId }) => endpointId === stays)).toMatchObject({
      status: "delivered",
      attempts: 3,
    });
    expect(found.find(({ endpointId }) => endpointId === gone)).toMatchObject({
      ...{ status: "cancelled", attempts: 1, failureReason: "worker_lost" },
    });
    await expectWholeLog(engine);
  },
);

it("gives its work back at SIGTERM, ends within ten seconds although requests hang, and nothing it gave back is lost", async () => {
  const receiver = await openHoldingReceiver();
  await engine.addEndpoint({ url: receiver.origin, timeoutMs: 30_000 });
  await engine.publish("OrderCreated", 600);
  const first = await forkWorker(engine);
  await eventually(() => expect(receiver.open).toBe(10));

  const toldAt = Date.now();
  first.kill("SIGTERM");
  expect(await first.ended).toBe(0);
  expect(Date.now() - toldAt).toBeLessThan(10_000);
  expect(await engine.statuses()).toEqual({ pending: 600 });
  expect((await engine.leftovers()).claims).toBe(0);
  const lost = await engine.attempts();
  expect(lost).toHaveLength(10);
  for (const attempt of lost) expect(attempt).toMatchObject({ number: 1, outcome: "lost" });

  receiver.letGo();
  await forkWorker(engine);
  await eventually(async () => expect(await engine.statuses()).toEqual({ delivered: 600 }));
  await expectNothingLeft(engine);
  await expectWholeLog(engine);
  expect(await engine.attempts()).toHaveLength(610);
});

it("lets requests end that do at SIGTERM, and loses none of them", async () => {
  const receiver = await openHoldingReceiver();
  await engine.addEndpoint({ url: receiver.origin });
  const worker = await forkWorker(engine);
  await engine.publish("OrderCreated", 10);
  engine.wake();
  await eventually(() => expect(receiver.open).toBe(10));
  worker.kill("SIGTERM");
  receiver.letGo("answer");
  expect(await worker.ended).toBe(0);
  expect(await engine.statuses()).toEqual({ delivered: 10 });
  expect(await engine.leftovers()).toEqual({ claims: 0, jobs: 0 });
});

it("goes on where a frozen worker stood, and what that one sends back late changes nothing", async () => {
  const receiver = await openHoldingReceiver();
  await engine.addEndpoint({ url: receiver.origin, timeoutMs: 30_000, maxInFlight: 5 });
  await engine.publish("OrderCreated", 30);
  const frozen = await forkWorker(engine);
  await eventually(() => expect(receiver.open).toBe(5));
  frozen.kill("SIGSTOP");
  // As if its jobs had been under way for two minutes.
  await engine.db.query(
    "update pgboss.job set started_on = now() - interval '1 hour' where state = 'active'",
  );
  receiver.letGo("answer");
  await engine.startWorker();
  await eventually(async () => expect(await engine.statuses()).toEqual({ delivered: 30 }));
  expect(receiver.received).toHaveLength(35);

  frozen.kill("SIGCONT");
  await eventually(() => expect(frozen.log).toContain("results came after"));
  expect(await engine.statuses()).toEqual({ delivered: 30 });
  await expectWholeLog(engine);
  // The lost tries have got their answers; none of those that had not begun was sent twice at once.
  await eventually(async () => {
    const answered = (await engine.attempts()).filter(({ outcome }) => outcome === "ok");
    expect(answered.length).toBeGreaterThanOrEqual(35);
  });
  await expectNothingLeft(engine);
});
