import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { listDue } from "#db/queries/list-due.ts";
import { createKeyring, parseRootKeys } from "#server/crypto/keyring.ts";
import { RateLimiter } from "#server/limits/rate-limiter.ts";
import { QUEUES } from "#server/queue/queues.ts";
import { createTestDatabase, type TestDatabase } from "#tests/database.ts";
import { eventually } from "#tests/eventually.ts";
import { Breakers } from "./breakers.ts";
import { Dispatcher } from "./dispatcher.ts";
import type { SendRequest } from "./sender.ts";
import { noAnswer } from "./settlement.ts";
import { Settler } from "./settler.ts";
import { Targets } from "./targets.ts";
import { claimOne, expectNothingLeft, openEngine, type TestEngine } from "./test-support.ts";
import type { Task } from "./types.ts";

let database: TestDatabase;
let engine: TestEngine;
let sent: SendRequest[];
let maySend: boolean;
let dispatcher: Dispatcher;
let settler: Settler;

beforeEach(async () => {
  database = await createTestDatabase();
  engine = await openEngine(database.url);
  await engine.addEndpoint({ url: "https://example.com", maxInFlight: 5 });
  sent = [];
  maySend = true;
  settler = new Settler({ ...engine, aftermath: { store: async () => {} }, worker: () => 1, onWritten() {} });
  const sender = {
    send: async (request: SendRequest) => {
      sent.push(request);
      return { ...noAnswer("internal", 1), result: { kind: "response" as const, status: 200 }, status: 200 };
    },
    close: async () => {},
  };
  dispatcher = new Dispatcher({
    ...engine.workerDeps({ sender }),
    settler,
    limiter: new RateLimiter(engine),
    breakers: new Breakers({ ...engine, retryScale: 1 }),
    maySend: () => maySend,
    onRoom() {},
    onMoved() {},
  });
});
afterEach(async () => {
  await settler?.drain(performance.now() + 5_000);
  await engine?.close();
  await database?.drop();
});

/** The tasks of one job that was taken `ageMs` ago. */
async function tasksOfOneJob(ageMs = 0): Promise<Task[]> {
  const claimed = await claimOne(engine);
  const chunk = { ...claimed.chunk, claimedAt: performance.now() - ageMs };
  const deliveries = await engine.deliveries();
  const due = await listDue(engine.db, {
    tenantIds: deliveries.map(() => engine.tenantId),
    ids: deliveries.map(({ id }) => id),
    jobIds: deliveries.map(() => chunk.id),
  });
  const targets = new Targets(engine.db, createKeyring(parseRootKeys(engine.encryptionKeys)));
  const { endpointId, endpointVersion } = claimed.due;
  const target = await targets.get(engine.tenantId, endpointId, endpointVersion);
  return due.map((each) => ({ due: each, target, chunk }));
}

const jobsByQueue = async () => {
  const rows = await engine.db.query<{ name: string; count: number }>(
    "select name, count(*)::int as count from pgboss.job group by name",
  );
  return Object.fromEntries(rows.map(({ name, count }) => [name, count]));
};

describe("what has waited so long that its job is about to expire", () => {
  it("is not sent any more but moved to another job", async () => {
    await engine.publish("OrderCreated", 20);
    await dispatcher.admit(await tasksOfOneJob(61_000));
    await dispatcher.tick();
    await settler.drain(performance.now() + 5_000);
    expect(sent).toEqual([]);
    expect(await engine.statuses()).toEqual({ pending: 20 });
    expect(await engine.attempts()).toEqual([]);
    expect(await jobsByQueue()).toEqual({ "deliver-slow": 1 });
  });

  it("is not sent by a process that was frozen, before it has looked at the time", async () => {
    await engine.publish("OrderCreated", 5);
    const tasks = await tasksOfOneJob();
    maySend = false;
    await dispatcher.admit(tasks);
    await dispatcher.tick();
    // As if the process had stood still for minutes.
    const now = performance.now.bind(performance);
    performance.now = () => now() + 180_000;
    try {
      maySend = true;
      dispatcher.launch();
      expect(sent).toEqual([]);
    } finally {
      performance.now = now;
    }
    await dispatcher.tick();
    expect(await jobsByQueue()).toMatchObject({ "deliver-slow": 1 });
  });
});

it("sends nothing while it may not, and all of it when it may again", async () => {
  await engine.publish("OrderCreated", 5);
  maySend = false;
  await dispatcher.admit(await tasksOfOneJob());
  await dispatcher.tick();
  expect(sent).toEqual([]);
  maySend = true;
  await dispatcher.tick();
  await settler.drain(performance.now() + 5_000);
  expect(await engine.statuses()).toEqual({ delivered: 5 });
  await expectNothingLeft(engine);
});

it("drops what belongs to others by now", async () => {
  await engine.publish("OrderCreated", 5);
  const tasks = await tasksOfOneJob();
  maySend = false;
  await dispatcher.admit(tasks);
  for (const { chunk } of tasks) chunk.isLost = true;
  dispatcher.dropLost();
  maySend = true;
  await dispatcher.tick();
  expect(sent).toEqual([]);
  expect(dispatcher.load(QUEUES.deliver.name)).toBe(0);
  expect(await engine.statuses()).toEqual({ pending: 5 });
});

it("gives back what waits when it stops, as if it had never been taken", async () => {
  await engine.publish("OrderCreated", 20);
  maySend = false;
  await dispatcher.admit(await tasksOfOneJob());
  await dispatcher.stop(performance.now() + 1_000);
  await settler.drain(performance.now() + 5_000);
  expect(await jobsByQueue()).toEqual({ deliver: 1 });
  expect(await engine.attempts()).toEqual([]);
  await eventually(async () => expect((await engine.leftovers()).claims).toBe(0));
  const again = await claimOne(engine);
  expect([again.chunk.retryCount, again.chunk.open]).toEqual([0, 20]);
});
