import { expect, it } from "vitest";
import { getDelivery } from "#db/queries/deliveries.ts";
import { replayDelivery } from "#server/deliveries/replay-delivery.ts";
import { sendTestEvent } from "#server/endpoints/send-test-event.ts";
import { setEndpointStatus } from "#server/endpoints/set-endpoint-status.ts";
import { engineFor } from "#tests/engine-for.ts";
import { eventually } from "#tests/eventually.ts";
import { releaseHeld } from "#workers/jobs/release-held.ts";
import { openReceiver, type ReceivedRequest } from "./fixtures/http-receiver.ts";
import { expectWholeLog, type TestEngine } from "./test-support.ts";
import { testContext } from "./testing-context.ts";

/** However busy the machine is. */
const soon = <T>(check: () => T | Promise<T>) => eventually(check, 40_000);

let engine: TestEngine;
engineFor("each", (opened) => {
  engine = opened;
});

interface BreakerState extends Record<string, unknown> {
  state: string;
  until: Date | null;
  opens: number;
}
const breakerOf = async (endpointId: string) => {
  const [row] = await engine.db.query<BreakerState>(
    `select breaker_state as state, breaker_until as until, breaker_opens as opens
       from endpoint_health where endpoint_id = $1`,
    [endpointId],
  );
  return row;
};
const untilItIs = (endpointId: string, state: string) =>
  soon(async () => expect((await breakerOf(endpointId))?.state).toBe(state));

/** Nothing is in anybody's hands, and every delivery that is left is in a queue and waits there for its time. */
async function untilParked(): Promise<void> {
  await soon(async () => {
    const [row] = await engine.db.query(
      `select (select count(*)::int from claims) as claims,
              (select count(*)::int from pgboss.job where name like 'deliver%' and start_after <= now()) as due,
              (select count(*)::int from deliveries where status = 'pending') -
              (select coalesce(sum(jsonb_array_length(data -> 'deliveryIds')), 0)::int from pgboss.job
                where name like 'deliver%') as lost`,
    );
    expect(row).toEqual({ claims: 0, due: 0, lost: 0 });
  });
}

/** As if the time had come at which the endpoint may be tried. */
async function makeDue(endpointId: string): Promise<void> {
  await engine.db.query("update endpoint_health set breaker_until = now() where endpoint_id = $1", [
    endpointId,
  ]);
  await engine.db.query("update pgboss.job set start_after = now() where name = 'deliver-slow'");
}

/** An endpoint with a receiver that fails until it is told to do otherwise, and its breaker open. */
async function openBreaker(events: number, options: { ordered?: boolean } = {}) {
  let behave = ({ answer }: ReceivedRequest) => answer(500);
  const receiver = await openReceiver((request) => behave(request));
  const endpoint = await engine.addEndpoint({
    url: receiver.origin,
    eventTypes: ["OrderCreated"],
    ...options,
  });
  await engine.publish("OrderCreated", events);
  return {
    receiver,
    endpoint,
    behave: (how: typeof behave) => {
      behave = how;
    },
  };
}

const triesOf = async () => (await engine.attempts()).length;

it("sends nothing more to an endpoint that failed ten times in a row, and counts nothing that it did not send", async () => {
  const { receiver, endpoint } = await openBreaker(500);
  const well = await openReceiver();
  await engine.addEndpoint({ url: well.origin, eventTypes: ["Other"] });
  const worker = await engine.startWorker({ retryScale: 10 });
  await untilItIs(endpoint.id, "open");
  await untilParked();
  const tried = receiver.received.length;
  expect(tried).toBeGreaterThanOrEqual(10);
  expect(tried).toBeLessThanOrEqual(20);
  const { until } = (await breakerOf(endpoint.id)) ?? {};
  const waiting = (await engine.deliveries()).filter(({ attempts }) => attempts === 0);
  expect(waiting).toHaveLength(500 - tried);
  for (const { id } of [waiting[0], waiting.at(-1)] as { id: string }[]) {
    const shown = await getDelivery(engine.db, engine.tenantId, id);
    expect(Math.abs(Number(shown?.nextAttemptAt) - Number(until))).toBeLessThan(50_000);
  }
  const [soonest] = await engine.db.query<{ at: Date }>(
    "select min(start_after) as at from pgboss.job where name = 'deliver-slow'",
  );
  expect(Math.abs((soonest?.at.getTime() ?? 0) - (until?.getTime() ?? 0))).toBeLessThan(50_000);

  // What is published meanwhile waits too, and others are not affected.
  await engine.publish("OrderCreated", 20);
  await engine.publish("Other", 20);
  engine.wake();
  await soon(() => expect(well.received).toHaveLength(20));
  await untilParked();
  expect(receiver.received).toHaveLength(tried);
  expect(await triesOf()).toBe(tried + 20);
  await worker.stop();

  // It stays shut for a worker that has never heard of it.
  await engine.startWorker({ retryScale: 10 });
  await engine.publish("OrderCreated", 1);
  engine.wake();
  await untilParked();
  expect(receiver.received).toHaveLength(tried);
});

it("lets one probe through at a time, over two workers, closes with its success and sends what waited", async () => {
  const { receiver, endpoint, behave } = await openBreaker(1_000);
  await engine.startWorker({ retryScale: 10 });
  await untilItIs(endpoint.id, "open");
  await engine.startWorker({ retryScale: 10 });
  await untilParked();
  const tried = receiver.received.length;
  const probes: ReceivedRequest[] = [];
  behave((request) => void probes.push(request));
  for (const n of [1, 2, 3]) {
    await makeDue(endpoint.id);
    await soon(() => expect(probes).toHaveLength(n));
    // Fresh work has both look for more.
    await engine.publish("OrderCreated", 30);
    engine.wake();
    await soon(async () => expect(await engine.leftovers()).toMatchObject({ claims: 1 }));
    expect(probes).toHaveLength(n);
    expect(await breakerOf(endpoint.id)).toMatchObject({ state: "half_open", opens: n });
    probes.at(-1)?.answer(503);
    await untilItIs(endpoint.id, "open");
    await untilParked();
  }
  expect((await breakerOf(endpoint.id))?.opens).toBe(4);
  expect(receiver.received).toHaveLength(tried + 3);
  behave(({ answer }) => answer(200));
  await makeDue(endpoint.id);
  // All but what was tried and waits for its retry.
  await soon(async () => expect((await engine.statuses()).pending).toBe(tried + 3));
  expect((await breakerOf(endpoint.id))?.state).toBe("closed");
  await expectWholeLog(engine);
});

it("lets through at once what a person asks for, which closes it when it succeeds", async () => {
  const { receiver, endpoint, behave } = await openBreaker(100);
  const [terminal] = await engine.deliveries();
  await engine.db.query("update deliveries set status = 'failed', next_attempt_at = null where id = $1", [
    terminal?.id,
  ]);
  await engine.startWorker({ retryScale: 10 });
  await untilItIs(endpoint.id, "open");
  await untilParked();
  const tried = receiver.received.length;

  const row = await getDelivery(engine.db, engine.tenantId, terminal?.id ?? "");
  if (!row) throw new Error("no such delivery");
  await replayDelivery(testContext(engine), row);
  await soon(() => expect(receiver.received).toHaveLength(tried + 1));
  await soon(async () => expect(await breakerOf(endpoint.id)).toMatchObject({ state: "open", opens: 2 }));
  await untilParked();

  behave(({ answer }) => answer(200));
  await sendTestEvent(testContext(engine), endpoint.id, { type: "Ping", data: undefined });
  await untilItIs(endpoint.id, "closed");
  await soon(async () => expect((await engine.statuses()).delivered).toBe(101 - tried - 1));
});

it("is forgotten when the endpoint is enabled again, and what waits is held while it is paused", async () => {
  const { receiver, endpoint, behave } = await openBreaker(100);
  await engine.startWorker({ retryScale: 10 });
  await untilItIs(endpoint.id, "open");
  await untilParked();
  const tried = receiver.received.length;
  const change = { id: endpoint.id, expectedVersions: null };
  await setEndpointStatus(testContext(engine), change, "paused");
  await makeDue(endpoint.id);
  await soon(async () => {
    const held = (await engine.deliveries()).filter(({ nextAttemptAt }) => nextAttemptAt === null);
    expect(held).toHaveLength(100 - tried);
  });
  expect(receiver.received).toHaveLength(tried);
  behave(({ answer }) => answer(200));
  await setEndpointStatus(testContext(engine), change, "enabled");
  await releaseHeld({ db: engine.db, boss: engine.boss, wakeWorkers: engine.wake });
  await soon(async () => expect((await engine.statuses()).delivered).toBe(101 - tried));
  expect((await breakerOf(endpoint.id))?.state ?? "closed").toBe("closed");
});
