import { afterEach, beforeEach, expect, it, onTestFinished } from "vitest";
import { connect, type Db } from "#db/client.ts";
import { createLogger } from "#server/log/logger.ts";
import { openQueue } from "#server/queue/boss.ts";
import { createTestDatabase, type TestDatabase } from "#tests/database.ts";
import { eventually } from "#tests/eventually.ts";
import { type DatabaseProxy, openDatabaseProxy } from "./fixtures/database-proxy.ts";
import { openHoldingReceiver, openReceiver } from "./fixtures/http-receiver.ts";
import { expectNothingLeft, expectWholeLog, openEngine, type TestEngine } from "./test-support.ts";
import { DeliveryWorker } from "./worker.ts";

let database: TestDatabase;
let engine: TestEngine;

beforeEach(async () => {
  database = await createTestDatabase();
  engine = await openEngine(database.url);
});
afterEach(async () => {
  await engine?.close();
  await database?.drop();
});

/** A worker whose way to the database is the proxy; `stop` ends it before the test does. */
async function startRemoteWorker(proxy: DatabaseProxy, log = engine.log): Promise<{ stop(): Promise<void> }> {
  const db = connect(proxy.url, { name: "remote-worker", maxConnections: 20, joinByIndex: true });
  const boss = openQueue(db, { supervise: true, onError: () => {} });
  await boss.start();
  const worker = new DeliveryWorker(engine.workerDeps({ db, boss, log, databaseUrl: proxy.url }));
  await worker.start();
  const end = async () => {
    await worker.stop();
    await boss.stop({ graceful: false });
    await db.close();
  };
  let ending: Promise<void> | undefined;
  const stop = () => {
    ending ??= end();
    return ending;
  };
  onTestFinished(() => stop());
  return { stop };
}

const terminateAll = (db: Db) =>
  db.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name in ('posthorn-remote-worker', 'posthorn-lease')`,
  );

it("holds the results of 500 requests while the database is away, and loses none", async () => {
  const proxy = await openDatabaseProxy(database.url);
  const receiver = await openHoldingReceiver(5);
  for (let i = 0; i < 50; i++)
    await engine.addEndpoint({
      url: receiver.origins[i % 5] ?? "",
      eventTypes: [`T${i}`],
      timeoutMs: 30_000,
    });
  for (let i = 0; i < 50; i++) await engine.publish(`T${i}`, 10);
  await startRemoteWorker(proxy);
  await eventually(() => expect(receiver.open).toBe(500));

  proxy.cut();
  receiver.letGo("answer");
  await eventually(() => expect(receiver.open).toBe(0));
  expect(await engine.statuses()).toEqual({ pending: 500 });
  proxy.restore();

  await eventually(async () => expect(await engine.statuses()).toEqual({ delivered: 500 }));
  expect(receiver.received).toHaveLength(500);
  const attempts = await engine.attempts();
  expect(attempts).toHaveLength(500);
  expect(attempts.every(({ outcome }) => outcome === "ok")).toBe(true);
  await expectNothingLeft(engine);
});

it("delivers everything once, and soon, although all connections are cut again and again", async () => {
  const proxy = await openDatabaseProxy(database.url);
  const receiver = await openReceiver(
    ({ answer, headers }) => void setTimeout(() => answer(headers["x-attempt"] === "1" ? 500 : 200), 5),
  );
  for (let i = 0; i < 10; i++) await engine.addEndpoint({ url: receiver.origin, eventTypes: [`T${i}`] });
  for (let i = 0; i < 10; i++) await engine.publish(`T${i}`, 200);
  await startRemoteWorker(proxy);
  for (let round = 0; round < 15; round++) {
    const { length } = receiver.received;
    await eventually(() => expect(receiver.received.length).toBeGreaterThan(length + 20));
    await terminateAll(engine.db);
  }
  await eventually(async () => expect(await engine.statuses()).toEqual({ delivered: 2_000 }));
  await expectNothingLeft(engine);
  await expectWholeLog(engine);
  expect(receiver.doubled.size).toBe(0);
});

it("does nothing twice when COMMIT takes effect and its answer is lost", async () => {
  const proxy = await openDatabaseProxy(database.url);
  const receiver = await openReceiver(
    ({ answer, headers }) => void setTimeout(() => answer(headers["x-attempt"] === "1" ? 500 : 200), 5),
  );
  for (let i = 0; i < 10; i++) await engine.addEndpoint({ url: receiver.origin, eventTypes: [`T${i}`] });
  await startRemoteWorker(proxy);
  for (let round = 0; round < 20; round++) {
    await engine.publish(`T${round % 10}`, 50);
    const before = proxy.swallowed;
    proxy.swallowCommits(2);
    engine.wake();
    await eventually(() => expect(proxy.swallowed).toBe(before + 2));
  }
  // What was lost twice in a row is suspected and goes alone, one after the other.
  await eventually(async () => expect(await engine.statuses()).toEqual({ delivered: 1_000 }), 80_000);
  await expectNothingLeft(engine);
  await expectWholeLog(engine);
  expect(receiver.doubled.size).toBe(0);
  // A request for each try, but for those of jobs that were taken without anybody knowing: they are logged as lost.
  const made = (await engine.attempts()).filter(({ outcome }) => outcome !== "lost");
  expect(receiver.received).toHaveLength(made.length);
  expect(made.filter(({ outcome }) => outcome === "ok")).toHaveLength(1_000);
});

it("stops within nine seconds while the database is away", async () => {
  const proxy = await openDatabaseProxy(database.url);
  const receiver = await openHoldingReceiver();
  await engine.addEndpoint({ url: receiver.origin });
  await engine.publish("OrderCreated", 100);
  const worker = await startRemoteWorker(proxy);
  await eventually(() => expect(receiver.open).toBe(10));
  proxy.cut();
  const toldAt = performance.now();
  await worker.stop();
  expect(performance.now() - toldAt).toBeLessThan(9_000);

  // Its claims are found by whoever comes next.
  receiver.letGo();
  await engine.startWorker();
  await eventually(async () => expect(await engine.statuses()).toEqual({ delivered: 100 }));
  await expectNothingLeft(engine);
  await expectWholeLog(engine);
});

it("sends nothing more for a worker that has lost its database, and drops what others have taken", async () => {
  const proxy = await openDatabaseProxy(database.url);
  const receiver = await openHoldingReceiver();
  await engine.addEndpoint({ url: receiver.origin, maxInFlight: 5 });
  await engine.publish("OrderCreated", 100);
  const lines: string[] = [];
  const log = createLogger({
    name: "test",
    level: "warn",
    destination: { write: (line) => void lines.push(line) },
  });
  await startRemoteWorker(proxy, log);
  await eventually(() => expect(receiver.open).toBe(5));
  proxy.cut();
  await eventually(() => expect(lines.join()).toContain("lease session lost"));
  receiver.letGo("answer");
  const other = await engine.startWorker();
  await eventually(async () => expect(await engine.statuses()).toEqual({ delivered: 100 }));
  expect(receiver.received).toHaveLength(105);
  await other.stop();

  proxy.restore();
  // The five answers that it has kept complete the tries that were logged as lost.
  await eventually(async () => {
    const answered = (await engine.attempts()).filter(({ outcome }) => outcome === "ok");
    expect(answered).toHaveLength(105);
  });
  // What it had kept waiting would go before anything new in the lane of its endpoint.
  await engine.publish("OrderCreated", 20);
  await eventually(async () => expect(await engine.statuses()).toEqual({ delivered: 120 }));
  expect(receiver.received).toHaveLength(125);
  await expectWholeLog(engine);
  await expectNothingLeft(engine);
  expect(receiver.doubled.size).toBe(0);
});
