import { expect, it } from "vitest";
import type { EndpointStatus } from "#contracts/endpoints.ts";
import { setEndpointStatus } from "#server/endpoints/set-endpoint-status.ts";
import { engineFor } from "#tests/engine-for.ts";
import { eventually } from "#tests/eventually.ts";
import { releaseHeld } from "#workers/jobs/release-held.ts";
import { openReceiver } from "./fixtures/http-receiver.ts";
import { Poller } from "./poller.ts";
import { expectNothingLeft, type TestEngine } from "./test-support.ts";
import { testContext } from "./testing-context.ts";

let engine: TestEngine;
engineFor("all", (opened) => {
  engine = opened;
});

it("loses nothing of an endpoint that is paused and enabled all the time while two workers send", async () => {
  const receiver = await openReceiver();
  const { id } = await engine.addEndpoint({ url: receiver.origin, maxInFlight: 3 });
  const set = (status: EndpointStatus) =>
    setEndpointStatus(testContext(engine), { id, expectedVersions: null }, status);
  const deps = { db: engine.db, boss: engine.boss, wakeWorkers: engine.wake };
  const releases = new Poller(20, async () => ((await releaseHeld(deps)) ? "more" : "idle"), engine.log);
  releases.start();
  await Promise.all([engine.startWorker(), engine.startWorker()]);

  const flaps = 12;
  for (let n = 0; n < flaps; n++) {
    await engine.publish("OrderCreated", 40);
    engine.wake();
    await set("paused");
    await set("enabled");
  }
  const count = 40 * flaps + flaps;
  await eventually(async () => expect(await engine.statuses()).toEqual({ delivered: count }));
  await releases.stop();
  expect(new Set(receiver.received.map(({ headers }) => headers["x-delivery"])).size).toBe(count);
  expect(receiver.received).toHaveLength(count);
  expect(receiver.doubled.size).toBe(0);
  await expectNothingLeft(engine);
});
