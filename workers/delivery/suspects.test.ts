import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { getDelivery } from "#db/queries/deliveries.ts";
import { replayDelivery } from "#server/deliveries/replay-delivery.ts";
import { engineFor } from "#tests/engine-for.ts";
import { eventually } from "#tests/eventually.ts";
import { openReceiver } from "./fixtures/http-receiver.ts";
import { forkWorker } from "./fixtures/worker-process.ts";
import { expectNothingLeft, expectWholeLog, type TestEngine } from "./test-support.ts";
import { testContext } from "./testing-context.ts";

let engine: TestEngine;
engineFor("each", (opened) => {
  engine = opened;
});

const poison = { NODE_OPTIONS: `--import=${fileURLToPath(new URL("fixtures/poison.mjs", import.meta.url))}` };
const pending = async () => (await engine.statuses()).pending ?? 0;

it("fails a delivery that has taken its worker with it four times, twice alone, and delivers what was in the same workers", async () => {
  const receiver = await openReceiver();
  await engine.addEndpoint({ url: receiver.origin, eventTypes: ["OrderCreated"] });
  await engine.publish("OrderCreated", 40);
  await engine.publish("OrderCreated", 1, '{"note":"POISON"}');
  await engine.publish("OrderCreated", 40);

  let crashes = 0;
  for (;;) {
    const worker = await forkWorker(engine, poison);
    const done = eventually(async () => expect(await pending()).toBe(0), 20_000).then(() => "done" as const);
    const end = await Promise.race([worker.ended, done.catch(() => worker.ended)]);
    if (end === "done") break;
    expect(++crashes).toBeLessThan(5);
    done.catch(() => {});
  }
  expect(crashes).toBe(4);

  expect(await engine.statuses()).toEqual({ delivered: 80, failed: 1 });
  const [failed] = (await engine.deliveries()).filter(({ status }) => status === "failed");
  expect(failed).toMatchObject({
    attempts: 4,
    failureClass: "exhausted",
    failureReason: "worker_lost",
    nextAttemptAt: null,
  });
  const tries = (await engine.attempts()).filter(({ deliveryId }) => deliveryId === failed?.id);
  expect(tries.map(({ outcome }) => outcome)).toEqual(["lost", "lost", "lost", "lost"]);
  expect(tries.at(-1)?.nextAttemptAt).toBeNull();
  await expectWholeLog(engine);
  await expectNothingLeft(engine);
  expect(await engine.db.query("select type from events where type like 'posthorn.%'")).toEqual([
    { type: "posthorn.delivery.failed" },
  ]);

  // By a version that can send it, it is delivered when somebody asks for it.
  const row = await getDelivery(engine.db, engine.tenantId, failed?.id ?? "");
  if (!row) throw new Error("no such delivery");
  await engine.startWorker();
  await replayDelivery(testContext(engine), row);
  await eventually(async () => expect(await engine.statuses()).toEqual({ delivered: 81 }));
});
