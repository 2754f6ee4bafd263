import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fromId } from "#contracts/ids.ts";
import { withTransaction } from "#db/client.ts";
import { addToMinutes, type MinuteRow } from "#db/queries/endpoint-minutes.ts";
import { latencyClass, noLatencies } from "#server/domain/latency.ts";
import { openTestApi, type TestApi } from "./test-support.ts";

const NOW = new Date("2026-11-21T09:30:10.000Z");
let api: TestApi;
let good: string;
let bad: string;
beforeAll(async () => {
  api = await openTestApi({ now: () => NOW });
  const add = async () => {
    const json = { url: "https://example.com/x", event_types: ["*"] };
    return (await api.call("POST", "/webhook-endpoints", { json })).json.id as string;
  };
  [good, bad] = [await add(), await add()];
  await count(good, "2026-11-21T09:00:00Z", 5, 5, 40);
  await count(bad, "2026-11-21T09:01:00Z", 5, 1, 4_000);
  await count(good, "2026-11-18T09:00:00Z", 7, 7, 40);
});
afterAll(() => api.close());

const stats = (query = "", key = api.tenant.key) => api.call("GET", `/stats${query}`, { key });

function count(endpoint: string, minute: string, attempts: number, succeeded: number, ms: number) {
  const latencies = noLatencies();
  latencies[latencyClass(ms)] = attempts;
  const row: MinuteRow = {
    ...{ tenantId: api.tenant.id, endpointId: fromId("endpoint", endpoint) ?? "" },
    ...{ minute: new Date(minute), attempts, succeeded, latencies },
  };
  return withTransaction(api.services.db, (tx) => addToMinutes(tx, [row], new Date(minute)));
}

describe("GET /stats", () => {
  it("sums up all endpoints, and names those that fail", async () => {
    const { json } = await stats();
    expect(json.totals).toMatchObject({ attempts: 10, succeeded: 6, failed: 4, success_rate: 0.6 });
    expect(json.buckets).toHaveLength(25);
    expect(json.failing_endpoints).toEqual([
      { endpoint_id: bad, attempts: 5, failed: 4, circuit_breaker: "closed" },
    ]);
    expect((await stats("?from=2026-11-15T00:00:00Z")).json.totals.attempts).toBe(17);
  });

  it("names an endpoint whose circuit breaker is open, whatever was counted", async () => {
    await api.services.db.query(
      `insert into endpoint_health (tenant_id, endpoint_id, breaker_state) values ($1, $2, 'open')`,
      [api.tenant.id, fromId("endpoint", good)],
    );
    const { json } = await stats("?from=2026-11-21T09:20:00Z&bucket=minute");
    expect(json.failing_endpoints).toMatchObject([
      { endpoint_id: good, attempts: 0, circuit_breaker: "open" },
    ]);
  });

  it("tells which delivery is due for longest", async () => {
    expect((await stats()).json.oldest_due).toBeNull();
    await api.call("POST", "/events", { json: { type: "a.b", data: {} } });
    const { json } = await api.call("GET", "/deliveries?status=pending");
    const last = json.items.at(-1);
    expect((await stats()).json.oldest_due).toEqual({
      delivery_id: expect.stringMatching(/^dlv_/),
      due_at: last.next_attempt_at,
    });
  });

  it.each([
    "bucket=week",
    "from=2026-11-21T10:00:00Z",
    "from=2026-11-01T00:00:00Z",
    "bucket=minute&from=2026-11-20T08:00:00Z",
  ])("refuses ?%s", async (query) => {
    expect((await stats(`?${query}`)).status).toBe(400);
  });

  it("needs deliveries:read, and tells another tenant nothing", async () => {
    expect((await stats("", await api.addKey(api.tenant.id, ["webhooks:read"]))).status).toBe(403);
    expect((await stats("", (await api.addTenant()).key)).json).toMatchObject({
      totals: { attempts: 0 },
      failing_endpoints: [],
      oldest_due: null,
    });
  });
});
