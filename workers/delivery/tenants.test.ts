import { afterEach, beforeEach, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "#tests/database.ts";
import { eventually } from "#tests/eventually.ts";
import { openReceiver } from "./fixtures/http-receiver.ts";
import { openEngine, type TestEngine } from "./test-support.ts";

let database: TestDatabase;
let big: TestEngine;
let small: TestEngine;

beforeEach(async () => {
  database = await createTestDatabase();
  big = await openEngine(database.url);
  // Another tenant of the same installation, with the same keys.
  small = await openEngine(database.url, big.encryptionKeys);
});
afterEach(async () => {
  await small?.close();
  await big?.close();
  await database?.drop();
});

it("sends fresh events of a tenant soon although another one has published very many before", async () => {
  const busy = await openReceiver(({ answer }) => void setTimeout(() => answer(200), 20));
  const quick = await openReceiver();
  for (let i = 0; i < 10; i++)
    await big.addEndpoint({ url: `${busy.origin}/${i}`, eventTypes: [`T${i % 5}`] });
  await small.addEndpoint({ url: quick.origin });
  for (let i = 0; i < 5; i++) await big.publish(`T${i}`, 3_000);
  await big.startWorker();
  await eventually(() => expect(busy.received.length).toBeGreaterThan(500));
  const before: number[] = [];
  for (let i = 0; i < 10; i++) {
    const begun = busy.received.length;
    await small.publish("OrderCreated");
    small.wake();
    await eventually(() => expect(quick.received).toHaveLength(i + 1));
    before.push(busy.received.length - begun);
  }
  // All that was queued before is thirty thousand.
  expect(busy.received.length).toBeLessThan(25_000);
  expect(Math.max(...before)).toBeLessThan(5_000);
  const { pending = 0 } = await big.statuses();
  expect(pending).toBeGreaterThan(3_000);
});
