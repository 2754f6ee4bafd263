import { describe, expect, it } from "vitest";
import type { EndpointStatus } from "#contracts/endpoints.ts";
import { withTransaction } from "#db/client.ts";
import { deleteEndpoint } from "#server/endpoints/delete-endpoint.ts";
import { sendTestEvent } from "#server/endpoints/send-test-event.ts";
import { setEndpointStatus } from "#server/endpoints/set-endpoint-status.ts";
import { engineFor } from "#tests/engine-for.ts";
import { eventually } from "#tests/eventually.ts";
import { cancelQueued } from "#workers/jobs/cancel-queued.ts";
import { reconcile } from "#workers/jobs/reconcile.ts";
import { releaseHeld } from "#workers/jobs/release-held.ts";
import { openHoldingReceiver, openReceiver } from "./fixtures/http-receiver.ts";
import { holdOrRequeue } from "./hold.ts";
import { claimOne, expectNothingLeft, type TestEngine } from "./test-support.ts";
import { testContext } from "./testing-context.ts";

let engine: TestEngine;
engineFor("each", (opened) => {
  engine = opened;
});

const set = (id: string, status: EndpointStatus) =>
  setEndpointStatus(testContext(engine), { id, expectedVersions: null }, status);
const release = () => releaseHeld({ db: engine.db, boss: engine.boss, wakeWorkers: engine.wake });
const held = async () =>
  (await engine.deliveries()).filter(({ status, nextAttemptAt }) => status === "pending" && !nextAttemptAt);

describe("a paused endpoint", () => {
  it("has its deliveries made and held, at no cost while they wait, and gets each once when it is enabled", async () => {
    const receiver = await openReceiver();
    const { id } = await engine.addEndpoint({ url: receiver.origin });
    const other = await openReceiver();
    await engine.addEndpoint({ url: other.origin });
    await set(id, "paused");
    await engine.publish("OrderCreated", 120);
    await engine.startWorker();
    await eventually(async () => expect(await held()).toHaveLength(120));
    await eventually(async () => expect(await engine.statuses()).toEqual({ pending: 120, delivered: 120 }));
    await expectNothingLeft(engine);
    expect(receiver.received).toEqual([]);
    expect(await reconcile(engine)).toEqual({ strays: 0, next: undefined });

    expect((await set(id, "enabled")).status).toBe("enabled");
    expect(await release()).toBe(true);
    await eventually(async () => expect(await engine.statuses()).toEqual({ delivered: 241 }));
    const bodies = receiver.received.map(({ body }) => JSON.parse(body.toString()) as { type: string });
    expect(bodies.filter(({ type }) => type === "OrderCreated")).toHaveLength(120);
    expect(bodies.filter(({ type }) => type === "Ping")).toHaveLength(1);
    expect(new Set(receiver.received.map(({ headers }) => headers["x-delivery"])).size).toBe(121);
    expect(other.received).toHaveLength(120);
    expect(await release()).toBe(false);
    await expectNothingLeft(engine);
  });

  it("gets nothing more of what a worker had taken for it already", async () => {
    const receiver = await openHoldingReceiver();
    const { id } = await engine.addEndpoint({ url: receiver.origin, maxInFlight: 1 });
    await engine.startWorker();
    await engine.publish("OrderCreated", 60);
    engine.wake();
    await eventually(() => expect(receiver.received).toHaveLength(1));
    await set(id, "paused");
    await eventually(async () => expect(await held()).toHaveLength(59));
    receiver.letGo("answer");
    await eventually(async () => expect(await engine.statuses()).toEqual({ delivered: 1, pending: 59 }));
    await expectNothingLeft(engine);
    expect(receiver.received).toHaveLength(1);
  });

  it("gets test events all the same", async () => {
    const receiver = await openReceiver();
    const { id } = await engine.addEndpoint({ url: receiver.origin });
    await set(id, "paused");
    await engine.publish("OrderCreated");
    await sendTestEvent(testContext(engine), id, { type: "Ping", data: undefined });
    await engine.startWorker();
    await eventually(async () => expect(await engine.statuses()).toEqual({ pending: 1, delivered: 1 }));
    expect(await engine.attempts()).toMatchObject([{ trigger: "test", outcome: "ok" }]);
    expect(receiver.received.map(({ headers }) => headers["x-event"])).toEqual(["Ping"]);
  });

  it("has its retries held when they are due, and goes on with them where they were", async () => {
    const receiver = await openReceiver((request) =>
      request.answer(receiver.received.length > 1 ? 200 : 500),
    );
    const { id } = await engine.addEndpoint({ url: receiver.origin });
    await engine.startWorker({ retryScale: 0.1 });
    await engine.publish("OrderCreated");
    engine.wake();
    await eventually(async () => expect(await engine.deliveries()).toMatchObject([{ attempts: 1 }]));
    await set(id, "paused");
    await eventually(async () => expect(await held()).toMatchObject([{ attempts: 1 }]));
    await set(id, "enabled");
    await release();
    await eventually(async () => expect(await engine.statuses()).toEqual({ delivered: 2 }));
    expect((await engine.deliveries()).map(({ attempts }) => attempts).sort()).toEqual([1, 2]);
  });

  it("may be disabled, which cancels what is held, and enabled again, which sends nothing but a probe", async () => {
    const receiver = await openReceiver();
    const { id } = await engine.addEndpoint({ url: receiver.origin });
    await set(id, "paused");
    await engine.publish("OrderCreated", 10);
    await engine.startWorker();
    await eventually(async () => expect(await held()).toHaveLength(10));
    await set(id, "disabled");
    await set(id, "enabled");
    // The job of the disabling comes late; it must leave the probe alone.
    expect(await cancelQueued(engine)).toBe(true);
    expect(await release()).toBe(true);
    await eventually(async () => expect(await engine.statuses()).toEqual({ cancelled: 10, delivered: 1 }));
    expect(receiver.received.map(({ headers }) => headers["x-event"])).toEqual(["Ping"]);
  });
});

describe("what was found held", () => {
  it("gets a new job when its endpoint has been enabled in between, since nobody would release it", async () => {
    const receiver = await openReceiver();
    const { id } = await engine.addEndpoint({ url: receiver.origin });
    await engine.publish("OrderCreated");
    await set(id, "paused");
    const { due, chunk } = await claimOne(engine);
    expect(due.endpointState).toBe("held");
    await set(id, "enabled");
    await release();
    await withTransaction(engine.db, (tx) => holdOrRequeue(tx, engine.boss, [due]));
    expect((await engine.deliveries())[0]?.jobId).not.toBe(chunk.id);
    expect(await held()).toEqual([]);
    await engine.startWorker();
    await eventually(async () => expect(await engine.statuses()).toEqual({ delivered: 2 }));
  });

  it("is released for an enabled endpoint only", async () => {
    const { id } = await engine.addEndpoint({ url: "https://example.com" });
    await set(id, "paused");
    await engine.publish("OrderCreated");
    const { due } = await claimOne(engine);
    await withTransaction(engine.db, (tx) => holdOrRequeue(tx, engine.boss, [due]));
    await set(id, "enabled");
    await set(id, "paused");
    expect(await release()).toBe(true);
    expect(await held()).toHaveLength(1);
  });
});

describe("a deleted endpoint", () => {
  it("has everything cancelled that waits for it, in the worker too, and its secrets are gone", async () => {
    const receiver = await openHoldingReceiver();
    const { id } = await engine.addEndpoint({ url: receiver.origin, maxInFlight: 1 });
    await engine.startWorker();
    await engine.publish("OrderCreated", 60);
    engine.wake();
    await eventually(() => expect(receiver.received).toHaveLength(1));
    await deleteEndpoint(testContext(engine), { id, expectedVersions: null });
    await eventually(async () => expect((await engine.statuses()).cancelled).toBeGreaterThanOrEqual(59));
    receiver.letGo("answer");
    await eventually(async () => expect(await engine.statuses()).toEqual({ cancelled: 59, delivered: 1 }));
    expect(await cancelQueued(engine)).toBe(true);
    await expectNothingLeft(engine);
    expect(receiver.received).toHaveLength(1);
    expect(await engine.attempts()).toMatchObject([{ outcome: "ok" }]);
    expect(await engine.db.query("select * from endpoint_secrets")).toEqual([]);
  });

  it("gets nothing of what was published just before, and no attempt is logged", async () => {
    const receiver = await openReceiver();
    const { id } = await engine.addEndpoint({ url: receiver.origin });
    await engine.publish("OrderCreated", 3);
    await deleteEndpoint(testContext(engine), { id, expectedVersions: null });
    await engine.startWorker();
    await eventually(async () => expect(await engine.statuses()).toEqual({ cancelled: 3 }));
    expect(receiver.received).toEqual([]);
    expect(await engine.attempts()).toEqual([]);
    await expectNothingLeft(engine);
  });
});
