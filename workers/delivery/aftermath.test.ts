import { uuidv7 } from "uuidv7";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Event } from "#contracts/events.ts";
import { toId } from "#contracts/ids.ts";
import { withTransaction } from "#db/client.ts";
import type { SettleRow } from "#db/queries/settle.ts";
import { verifyAudit } from "#server/audit/verify-audit.ts";
import { setEndpointStatus } from "#server/endpoints/set-endpoint-status.ts";
import { createTestDatabase, type TestDatabase } from "#tests/database.ts";
import { eventually } from "#tests/eventually.ts";
import { checkHealth } from "#workers/jobs/check-health.ts";
import { Aftermath } from "./aftermath.ts";
import { openReceiver } from "./fixtures/http-receiver.ts";
import { openEngine, type TestEndpoint, type TestEngine } from "./test-support.ts";
import { testContext } from "./testing-context.ts";

let database: TestDatabase;
let engine: TestEngine;
let endpoint: TestEndpoint;

beforeAll(async () => {
  database = await createTestDatabase();
  engine = await openEngine(database.url);
});
afterAll(async () => {
  await engine?.close();
  await database?.drop();
});
beforeEach(async () => {
  await engine.db.query("truncate deliveries, undelivered, attempts, claims, events, endpoint_health");
  await engine.db.query("delete from pgboss.job");
  await engine.db.query("update webhook_endpoints set deleted_at = now()");
  endpoint = await engine.addEndpoint({ url: "https://example.com", eventTypes: ["*"] });
});

const deps = () => ({
  ...engine,
  retryScale: 1,
  now: () => new Date(),
  wakeWorkers() {},
  breakers: { learn() {} },
  onBegun() {},
});
const events = async (): Promise<Event[]> => {
  const rows = await engine.db.query<{ body: string }>("select body from events order by sequence");
  return rows.map(({ body }) => JSON.parse(body));
};
const typesOf = (some: readonly Event[]) => some.map(({ type }) => type);
const healthRows = () =>
  engine.db.query<{ failures: number; warned: number; blocked: number; failing: boolean }>(
    `select consecutive_failures as failures, warned, blocked_in_row as blocked,
            first_failure_at is not null as failing from endpoint_health order by endpoint_id`,
  );

/** Results of the endpoint, as they come one after the other: null is a success. */
function results(...errorCodes: (string | null)[]): SettleRow[] {
  return errorCodes.map((errorCode, n) => ({
    ...({} as SettleRow),
    tenantId: engine.tenantId,
    endpointId: endpoint.id,
    deliveryId: uuidv7(),
    eventId: uuidv7(),
    eventType: "OrderCreated",
    startedAt: new Date(Date.now() + n),
    durationMs: 0,
    outcome: errorCode === null ? "ok" : errorCode === "http_410" ? "disable" : "retry",
    errorCode,
    status: errorCode === null ? "delivered" : "pending",
  }));
}

/** As a settler has it: the statements that were made are counted. */
async function settle(aftermath: Aftermath, rows: readonly SettleRow[]): Promise<number> {
  let statements = 0;
  await withTransaction(engine.db, (tx) => {
    const query: typeof tx.query = (...args) => {
      statements++;
      return tx.query(...args);
    };
    return aftermath.store({ ...tx, query }, rows);
  });
  await aftermath.idle();
  return statements;
}

describe("the health of an endpoint", () => {
  it("costs nothing while all goes well: one look for each endpoint a minute, and no row", async () => {
    const aftermath = new Aftermath(deps());
    expect(await settle(aftermath, results(null, null))).toBe(1);
    for (let i = 0; i < 10; i++) expect(await settle(aftermath, results(null, null, null))).toBe(0);
    expect(await healthRows()).toEqual([]);
  });

  it("adds up over batches and workers, in one statement each, and ends with a success", async () => {
    const [one, other] = [new Aftermath(deps()), new Aftermath(deps())];
    await settle(other, results("http_500", "timeout"));
    expect(await settle(one, results("http_500"))).toBe(1);
    expect(await healthRows()).toMatchObject([{ failures: 3, failing: true }]);
    expect(await settle(other, results(null))).toBe(2);
    expect(await healthRows()).toMatchObject([{ failures: 0, failing: false }]);
    await settle(one, results("http_500", null, "http_503"));
    expect(await healthRows()).toMatchObject([{ failures: 1, failing: true }]);
  });

  it("says nothing of our own failures", async () => {
    expect(await settle(new Aftermath(deps()), results("internal", "internal"))).toBe(0);
    expect(await healthRows()).toEqual([]);
  });

  it("is written by many at once without a deadlock", async () => {
    const others = await Promise.all(
      [1, 2, 3, 4].map(() => engine.addEndpoint({ url: "https://example.com" })),
    );
    const batch = () =>
      [endpoint, ...others].flatMap(({ id }) =>
        results("http_500", "http_500").map((row) => ({ ...row, endpointId: id })),
      );
    const workers = Array.from({ length: 6 }, () => new Aftermath(deps()));
    for (let round = 0; round < 5; round++)
      await Promise.all(
        workers.map((worker) =>
          settle(
            worker,
            batch().toSorted(() => Math.random() - 0.5),
          ),
        ),
      );
    expect((await healthRows()).map(({ failures }) => failures)).toEqual(others.map(() => 60).concat(60));
  });
});

const endpointRow = async () => {
  const [row] = await engine.db.query(
    "select status, disabled_reason as reason, version::int as version from webhook_endpoints where id = $1",
    [endpoint.id],
  );
  return row;
};
const makeFailing = (hours: number, failures: number) =>
  engine.db.query(
    `insert into endpoint_health (tenant_id, endpoint_id, consecutive_failures, first_failure_at)
     values ($1, $2, $4, now() - make_interval(hours => $3))
     on conflict (tenant_id, endpoint_id) do update set first_failure_at = excluded.first_failure_at`,
    [engine.tenantId, endpoint.id, hours, failures],
  );

describe("an endpoint that fails for days", () => {
  it("is warned of twice and then disabled, each once, however many look at it at a time", async () => {
    const look = () => Promise.all([1, 2, 3].map(() => checkHealth(deps())));
    await engine.addEndpoint({ url: "https://ops.example.com", eventTypes: ["posthorn.endpoint.*"] });
    for (const hours of [59, 61, 91, 121]) {
      await makeFailing(hours, 12);
      await look();
    }
    expect(await endpointRow()).toEqual({ status: "disabled", reason: "failing", version: 2 });
    const told = await events();
    expect(typesOf(told)).toEqual([
      ...["posthorn.endpoint.failing", "posthorn.endpoint.failing", "posthorn.endpoint.disabled"],
    ]);
    expect(told.map(({ data }) => data.percent ?? data.reason)).toEqual([50, 75, "failing"]);
    expect(told[2]?.data).toMatchObject({
      endpoint_id: toId("endpoint", endpoint.id),
      url: "https://example.com",
      failed_attempts: 12,
    });
    // Delivered to who asked for them, and to the `*` of the endpoint itself not.
    expect((await engine.deliveries()).map(({ endpointId }) => endpointId)).not.toContain(endpoint.id);
    expect(await engine.deliveries()).toHaveLength(3);
    const audit = await engine.db.query(
      "select actor, action, target, after from audit_log order by number desc",
    );
    expect(audit[0]).toMatchObject({
      actor: "system",
      action: "webhook_endpoint.disable",
      after: { status: "disabled", disabled_reason: "failing" },
    });
    expect(await verifyAudit(engine.db, engine.tenantId)).toBeNull();
    expect(await engine.db.query("select 1 from pgboss.job where name = 'cancel-queued'")).toHaveLength(1);
  });

  it("begins anew when somebody enables it", async () => {
    await makeFailing(121, 12);
    await checkHealth(deps());
    await setEndpointStatus(testContext(engine), { id: endpoint.id, expectedVersions: null }, "enabled");
    await checkHealth(deps());
    expect(await endpointRow()).toMatchObject({ status: "enabled", reason: null });
    expect(await healthRows()).toEqual([]);
  });

  it("is not disabled while it is paused", async () => {
    await setEndpointStatus(testContext(engine), { id: endpoint.id, expectedVersions: null }, "paused");
    await makeFailing(500, 12);
    await checkHealth(deps());
    expect(await endpointRow()).toMatchObject({ status: "paused" });
  });
});

describe("an endpoint that is disabled at once", () => {
  it("is one whose address was refused three times in a row, over several batches", async () => {
    const aftermath = new Aftermath(deps());
    await settle(aftermath, results("address_blocked", "http_500", "address_blocked"));
    await settle(aftermath, results("address_blocked"));
    expect(await endpointRow()).toMatchObject({ status: "enabled" });
    await settle(aftermath, results("address_blocked"));
    expect(await endpointRow()).toMatchObject({ status: "disabled", reason: "blocked_address" });
  });

  it("is one that said it is gone; the health job does what was not done at once", async () => {
    const aftermath = new Aftermath({ ...deps(), db: { ...engine.db, pool: brokenPool } });
    await settle(aftermath, results("http_410"));
    expect(await endpointRow()).toMatchObject({ status: "enabled" });
    await checkHealth(deps());
    expect(await endpointRow()).toMatchObject({ status: "disabled", reason: "gone" });
    expect(typesOf(await events())).toEqual(["posthorn.endpoint.disabled"]);
  });
});

const brokenPool = {
  connect: () => Promise.reject(new Error("broken")),
} as unknown as TestEngine["db"]["pool"];

describe("deliveries that fail for good", () => {
  it("are events, for who asks for them; of deliveries of such events there are none", async () => {
    const receiver = await openReceiver(({ answer }) => answer(400));
    await engine.db.query("update webhook_endpoints set deleted_at = now()");
    endpoint = await engine.addEndpoint({ url: receiver.origin, eventTypes: ["OrderCreated", "posthorn.*"] });
    await engine.startWorker();
    await engine.publish("OrderCreated", 3);
    engine.wake();
    await eventually(async () => expect((await engine.statuses()).failed).toBe(6));
    const told = (await events()).filter(({ type }) => type === "posthorn.delivery.failed");
    expect(told).toHaveLength(3);
    const failed = (await engine.deliveries()).slice(0, 3).map(({ id }) => toId("delivery", id));
    expect(told.map(({ data }) => data.delivery_id).sort()).toEqual(failed.sort());
    expect(told[0]?.data).toMatchObject({
      event_type: "OrderCreated",
      endpoint_id: toId("endpoint", endpoint.id),
      attempts: 1,
      failure_class: "permanent",
      failure_reason: "http_400",
    });
  });
});
