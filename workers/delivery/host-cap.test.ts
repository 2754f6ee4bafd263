import { afterAll, beforeAll, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "#tests/database.ts";
import { eventually } from "#tests/eventually.ts";
import { openHoldingReceiver, openReceiver } from "./fixtures/http-receiver.ts";
import { expectWholeLog, openEngine, type TestEngine } from "./test-support.ts";

let database: TestDatabase;
let one: TestEngine;
let other: TestEngine;

beforeAll(async () => {
  database = await createTestDatabase();
  one = await openEngine(database.url);
  other = await openEngine(database.url, one.encryptionKeys);
});
afterAll(async () => {
  await other?.close();
  await one?.close();
  await database?.drop();
});

it("has no more requests under way to a host than it may, whoever's the endpoints are, and none of an endpoint", async () => {
  const shared = await openHoldingReceiver();
  const well = await openReceiver();
  for (let i = 0; i < 15; i++)
    for (const tenant of [one, other])
      await tenant.addEndpoint({ url: `${shared.origin}/${i}`, eventTypes: ["Shared"], timeoutMs: 30_000 });
  const few = await openHoldingReceiver();
  await one.addEndpoint({ url: few.origin, eventTypes: ["Few"], maxInFlight: 3, timeoutMs: 30_000 });
  await one.addEndpoint({ url: well.origin, eventTypes: ["Well"] });
  for (const tenant of [one, other]) await tenant.publish("Shared", 20);
  await one.publish("Few", 20);
  await one.publish("Well", 50);
  await one.startWorker();
  await eventually(() => expect(shared.open).toBe(100));
  await eventually(() => expect(well.received).toHaveLength(50));
  await eventually(() => expect(few.open).toBe(3));
  expect(shared.open).toBe(100);
  shared.letGo("answer");
  few.letGo("answer");
  await eventually(async () => expect((await one.statuses()).delivered).toBe(670));
  expect(shared.doubled.size + few.doubled.size).toBe(0);
  await expectWholeLog(one);
});
