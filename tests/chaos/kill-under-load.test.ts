import { expect, it } from "vitest";
import { engineFor } from "#tests/engine-for.ts";
import { eventually } from "#tests/eventually.ts";
import { openReceiver } from "#workers/delivery/fixtures/http-receiver.ts";
import { forkWorker } from "#workers/delivery/fixtures/worker-process.ts";
import { expectNothingLeft, expectWholeLog, type TestEngine } from "#workers/delivery/test-support.ts";

const ENDPOINTS = 30;
const EVENTS = 12_000;

let engine: TestEngine;
engineFor("each", (opened) => {
  engine = opened;
});

it("has the work of a worker out again soon after kill -9, with three at full load on a backlog", {
  timeout: 480_000,
}, async () => {
  const receiver = await openReceiver((request) => void setTimeout(() => request.answer(200), 20), 3);
  for (let i = 0; i < ENDPOINTS; i++)
    await engine.addEndpoint({ url: receiver.origins[i % 3] ?? "", eventTypes: [`T${i}`] });
  for (let i = 0; i < ENDPOINTS; i++) await engine.publish(`T${i}`, EVENTS / ENDPOINTS);
  const [first] = await Promise.all([forkWorker(engine), forkWorker(engine), forkWorker(engine)]);
  await eventually(() => expect(receiver.received.length).toBeGreaterThan(EVENTS / 10), 120_000);

  const killedAt = Date.now();
  first.kill("SIGKILL");
  // Asking the database meanwhile would slow down what is measured.
  await eventually(() => expect(receiver.received.length).toBeGreaterThan(EVENTS), 300_000);
  await eventually(async () => expect(await engine.statuses()).toEqual({ delivered: EVENTS }), 120_000);
  await expectNothingLeft(engine);
  await expectWholeLog(engine);

  const lost = (await engine.attempts()).filter(({ outcome }) => outcome === "lost");
  const again = receiver.received.filter(({ headers }) => headers["x-attempt"] === "2");
  expect(lost.length).toBeGreaterThan(0);
  expect(again.length).toBe(lost.length);
  const tookMs = again.map(({ at }) => at - killedAt).toSorted((a, b) => a - b);
  if (process.env.CHAOS_SUMMARY)
    process.stderr.write(`${lost.length} out again after ${tookMs[0]} to ${tookMs.at(-1)} ms\n`);
  expect(tookMs[0]).toBeLessThan(5_000);
  // Jobs whose worker nobody looks for expire after two minutes.
  expect(tookMs.at(-1)).toBeLessThan(60_000);
});
