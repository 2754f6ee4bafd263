import { describe, expect, it } from "vitest";
import { deleteEndpoint } from "#server/endpoints/delete-endpoint.ts";
import { setEndpointStatus } from "#server/endpoints/set-endpoint-status.ts";
import { updateEndpoint } from "#server/endpoints/update-endpoint.ts";
import { engineFor } from "#tests/engine-for.ts";
import { eventually } from "#tests/eventually.ts";
import { cancelQueued } from "#workers/jobs/cancel-queued.ts";
import { openHoldingReceiver, openReceiver } from "./fixtures/http-receiver.ts";
import { deliveryOf, openOrdered, sequencesOf } from "./fixtures/ordered.ts";
import { forkWorker } from "./fixtures/worker-process.ts";
import { expectNothingLeft, expectWholeLog, type TestEngine } from "./test-support.ts";
import { testContext } from "./testing-context.ts";

/** However busy the machine is. */
const soon = <T>(check: () => T | Promise<T>) => eventually(check, 40_000);

let engine: TestEngine;
engineFor("each", (opened) => {
  engine = opened;
});

/** As if the endpoint had failed again and again. */
const shutOff = (endpointId: string, until = "1 hour") =>
  engine.db.query(
    `insert into endpoint_health (tenant_id, endpoint_id, breaker_state, breaker_until, breaker_opens)
     values ($1, $2, 'open', now() + $3::interval, 6)
     on conflict (tenant_id, endpoint_id) do update
        set breaker_state = 'open', breaker_until = excluded.breaker_until, breaker_opens = 6`,
    [engine.tenantId, endpointId, until],
  );
const stateOf = async (endpointId: string) => {
  const [row] = await engine.db.query<{ state: string; opens: number }>(
    "select breaker_state as state, breaker_opens as opens from endpoint_health where endpoint_id = $1",
    [endpointId],
  );
  return row;
};
const makeDue = async (endpointId: string) => {
  await engine.db.query("update endpoint_health set breaker_until = now() where endpoint_id = $1", [
    endpointId,
  ]);
  await engine.db.query("update pgboss.job set start_after = now() where name like 'deliver-%'");
};
/** Everything is in a queue and waits there for its time. */
const allWait = () =>
  soon(async () => {
    const [row] = await engine.db.query(
      `select (select count(*)::int from claims) as claims,
              (select count(*)::int from pgboss.job where name like 'deliver%' and start_after > now()) > 0 as later,
              (select count(*)::int from pgboss.job where name like 'deliver%' and start_after <= now()) as due`,
    );
    expect(row).toEqual({ claims: 0, later: true, due: 0 });
  });

describe("an endpoint whose circuit breaker is open", () => {
  it("takes nothing from others on the same host", async () => {
    const receiver = await openReceiver();
    const shut = await engine.addEndpoint({ url: `${receiver.origin}/shut` });
    await engine.addEndpoint({ url: `${receiver.origin}/well` });
    await shutOff(shut.id);
    await engine.publish("OrderCreated", 100);
    await engine.startWorker();
    await soon(async () => expect(await engine.statuses()).toEqual({ delivered: 100, pending: 100 }));
    expect(new Set(receiver.received.map(({ path }) => path))).toEqual(new Set(["/well"]));
    await allWait();
  });

  it.each([
    [
      "disabled",
      (id: string) => setEndpointStatus(testContext(engine), { id, expectedVersions: null }, "disabled"),
    ],
    ["deleted", (id: string) => deleteEndpoint(testContext(engine), { id, expectedVersions: null })],
  ])("leaves nothing behind when it is %s", async (_, end) => {
    const receiver = await openReceiver();
    const { id } = await engine.addEndpoint({ url: receiver.origin });
    await shutOff(id);
    await engine.publish("OrderCreated", 120);
    await engine.startWorker();
    await allWait();
    await end(id);
    while (await cancelQueued({ db: engine.db, boss: engine.boss }));
    expect(await engine.statuses()).toEqual({ cancelled: 120 });
    await makeDue(id);
    await expectNothingLeft(engine);
    expect(receiver.received).toEqual([]);
  });

  it("is sent to at once when it gets another URL", async () => {
    const receiver = await openReceiver();
    const { id } = await engine.addEndpoint({ url: "http://127.0.0.1:1/" });
    await shutOff(id);
    await engine.publish("OrderCreated", 120);
    await engine.startWorker();
    await allWait();
    await updateEndpoint(testContext(engine), { id, expectedVersions: null }, { url: receiver.origin });
    await soon(() => expect(receiver.received).toHaveLength(120));
    await expectNothingLeft(engine);
  });

  it("gets no probe before the time that it asked for", async () => {
    const receiver = await openReceiver(({ answer }) => answer(503, { "retry-after": "600" }));
    const { id } = await engine.addEndpoint({ url: receiver.origin });
    await shutOff(id, "0 s");
    await engine.publish("OrderCreated", 3);
    await engine.startWorker({ retryScale: 1 });
    await soon(async () => expect(await stateOf(id)).toEqual({ state: "open", opens: 7 }));
    const [row] = await engine.db.query<{ seconds: number }>(
      "select extract(epoch from breaker_until - now())::int as seconds from endpoint_health",
    );
    expect(row?.seconds).toBeGreaterThan(540);
    expect(receiver.received).toHaveLength(1);
  });

  it("is tried again as soon as the worker that made the probe is found to have vanished", async () => {
    const receiver = await openHoldingReceiver();
    const { id } = await engine.addEndpoint({ url: receiver.origin, timeoutMs: 30_000 });
    await shutOff(id, "0 s");
    await engine.publish("OrderCreated", 60);
    const first = await forkWorker(engine);
    await soon(() => expect(receiver.received).toHaveLength(1));
    await soon(async () => expect(await stateOf(id)).toMatchObject({ state: "half_open" }));
    first.kill("SIGKILL");
    receiver.letGo();
    await engine.startWorker();
    // It would be waited for for 45 seconds otherwise.
    await soon(async () => expect(await engine.statuses()).toEqual({ delivered: 60 }));
    await expectWholeLog(engine);
  });

  it("loses no probe for ever: when one is overdue, another delivery tries", async () => {
    const receiver = await openReceiver();
    const { id } = await engine.addEndpoint({ url: receiver.origin });
    await shutOff(id);
    await engine.db.query("update endpoint_health set breaker_state = 'half_open'");
    await engine.publish("OrderCreated", 120);
    await engine.startWorker();
    await allWait();
    expect(receiver.received).toEqual([]);
    await makeDue(id);
    await soon(async () => expect(await engine.statuses()).toEqual({ delivered: 120 }));
    expect(await stateOf(id)).toMatchObject({ state: "closed" });
  });
});

describe("an ordered endpoint whose circuit breaker is open", () => {
  it("is tried with the head of its queue, and goes on in order", async () => {
    let isWell = false;
    const { log, receiver } = await openOrdered(() => (isWell ? 200 : 500));
    const { id } = await engine.addEndpoint({ url: receiver.origin, ordered: true });
    await shutOff(id);
    await engine.publish("OrderCreated", 30);
    await engine.startWorker({ retryScale: 0.05 });
    await allWait();
    expect(receiver.received).toEqual([]);

    await makeDue(id);
    await soon(async () => expect(await stateOf(id)).toEqual({ state: "open", opens: 7 }));
    await allWait();
    expect(sequencesOf(receiver.received)).toEqual([1]);
    expect((await deliveryOf(engine, 1)).attempts).toBe(1);

    isWell = true;
    await engine.db.query("update deliveries set next_attempt_at = now() where attempts = 1");
    await makeDue(id);
    await soon(async () => expect(await engine.statuses()).toEqual({ delivered: 30 }));
    expect(sequencesOf(receiver.received)).toEqual([1, ...Array.from({ length: 30 }, (_, i) => i + 1)]);
    log.expectOrder();
    expect(await stateOf(id)).toMatchObject({ state: "closed" });
  });
});
