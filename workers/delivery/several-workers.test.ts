import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { connect } from "#db/client.ts";
import { openQueue } from "#server/queue/boss.ts";
import { createTestDatabase, type TestDatabase } from "#tests/database.ts";
import { eventually } from "#tests/eventually.ts";
import { openReceiver } from "./fixtures/http-receiver.ts";
import { expectNothingLeft, expectWholeLog, openEngine, type TestEngine } from "./test-support.ts";
import { DeliveryWorker } from "./worker.ts";

let database: TestDatabase;
let engine: TestEngine;

beforeAll(async () => {
  database = await createTestDatabase();
  engine = await openEngine(database.url);
});
afterAll(async () => {
  await engine?.close();
  await database?.drop();
});

/** A worker with connections of its own, as it would have in a process of its own. */
async function startWorker(name: string): Promise<void> {
  const db = connect(database.url, { name, maxConnections: 10, joinByIndex: true });
  const boss = openQueue(db, { supervise: true, onError: () => {} });
  await boss.start();
  const worker = new DeliveryWorker(engine.workerDeps({ db, boss }));
  await worker.start();
  onTestFinished(async () => {
    await worker.stop();
    await boss.stop({ graceful: false });
    await db.close();
  });
}

it("never makes two attempts of one delivery at once, with three workers whose sessions are cut", async () => {
  // Quick, slow, and failing at first: deliveries go through every queue there is.
  const receiver = await openReceiver(({ path, headers, answer }) => {
    const status = headers["x-attempt"] === "1" && path === "/flaky" ? 500 : 200;
    setTimeout(() => answer(status), path === "/slow" ? 1_100 : 3);
  });
  for (const path of ["/quick", "/flaky"]) await engine.addEndpoint({ url: receiver.origin + path });
  await engine.addEndpoint({ url: `${receiver.origin}/slow`, eventTypes: ["Slow"], maxInFlight: 20 });
  await engine.publish("OrderCreated", 1_500);
  await engine.publish("Slow", 60);
  await Promise.all(["one", "two", "three"].map(startWorker));

  for (let round = 0; round < 8; round++) {
    const { length } = receiver.received;
    await eventually(() => expect(receiver.received.length).toBeGreaterThan(length + 100));
    await engine.db.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and application_name = 'posthorn-lease'`,
    );
  }
  await eventually(async () => expect(await engine.statuses()).toEqual({ delivered: 3_180 }), 120_000);
  expect(receiver.doubled.size).toBe(0);
  const attempts = await engine.attempts();
  expect(attempts.filter(({ outcome }) => outcome === "lost")).toEqual([]);
  expect(receiver.received).toHaveLength(attempts.length);
  expect(new Set(attempts.map(({ worker }) => worker)).size).toBeGreaterThan(3);
  await expectWholeLog(engine);
  await expectNothingLeft(engine);
});
