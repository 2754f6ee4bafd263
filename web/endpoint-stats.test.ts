import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LATENCY_BOUNDS_MS } from "#contracts/endpoint-stats.ts";
import { fromId } from "#contracts/ids.ts";
import { withTransaction } from "#db/client.ts";
import { addToMinutes, type MinuteRow } from "#db/queries/endpoint-minutes.ts";
import { latencyClass, noLatencies } from "#server/domain/latency.ts";
import { openTestApi, type TestApi } from "./test-support.ts";

const NOW = new Date("2026-11-21T09:30:10.000Z");
let api: TestApi;
let endpoint: string;
beforeAll(async () => {
  api = await openTestApi({ now: () => NOW });
  const json = { url: "https://example.com/x", event_types: ["*"] };
  endpoint = (await api.call("POST", "/webhook-endpoints", { json })).json.id;
});
afterAll(() => api.close());

const stats = (query = "", key = api.tenant.key) =>
  api.call("GET", `/webhook-endpoints/${endpoint}/stats${query}`, { key });

/** Adds tries of one latency that began in a minute. */
function add(minute: string, attempts: number, succeeded: number, ms: number): Promise<void> {
  const latencies = noLatencies();
  latencies[latencyClass(ms)] = attempts;
  const row: MinuteRow = {
    tenantId: api.tenant.id,
    endpointId: fromId("endpoint", endpoint) ?? "",
    minute: new Date(minute),
    attempts,
    succeeded,
    latencies,
  };
  return withTransaction(api.services.db, (tx) => addToMinutes(tx, [row], NOW));
}

describe("GET /webhook-endpoints/{id}/stats", () => {
  it("has nothing but empty buckets of an endpoint that nothing was sent to", async () => {
    const { status, json } = await stats();
    expect(status).toBe(200);
    expect(json).toMatchObject({
      endpoint_id: endpoint,
      from: "2026-11-20T09:00:00.000Z",
      to: "2026-11-21T10:00:00.000Z",
      bucket: "hour",
      latency_bounds_ms: [...LATENCY_BOUNDS_MS],
      totals: { attempts: 0, success_rate: null, latency_p99_ms: null },
    });
    expect(json.buckets).toHaveLength(25);
  });

  it("sums minutes up in buckets of an hour, a minute or a day", async () => {
    await add("2026-11-21T08:59:00Z", 10, 10, 40);
    await add("2026-11-21T09:00:00Z", 5, 4, 40);
    await add("2026-11-21T09:00:00Z", 5, 0, 4_000);
    await add("2026-11-19T23:59:00Z", 7, 7, 40);
    const { json } = await stats();
    expect(json.totals).toMatchObject({ attempts: 20, succeeded: 14, failed: 6, success_rate: 0.7 });
    expect(json.buckets.slice(-2)).toMatchObject([
      { start: "2026-11-21T08:00:00.000Z", attempts: 10, success_rate: 1, latency_p95_ms: 49.3 },
      { start: "2026-11-21T09:00:00.000Z", attempts: 10, success_rate: 0.4, latency_p95_ms: 4800 },
    ]);
    const minutes = await stats("?bucket=minute&from=2026-11-21T08:58:30Z&to=2026-11-21T09:01:00Z");
    expect(minutes.json.buckets.map(({ attempts }: { attempts: number }) => attempts)).toEqual([0, 10, 10]);
    const days = await stats("?bucket=day&from=2026-11-19T00:00:00Z");
    expect(days.json.buckets.map(({ attempts }: { attempts: number }) => attempts)).toEqual([7, 0, 20]);
  });

  it.each([
    "bucket=week",
    "from=yesterday",
    "from=2026-11-21T10:00:00Z",
    "from=2026-11-21T08:00:00Z&to=2026-11-21T08:00:00Z",
    "bucket=minute&from=2026-11-20T08:00:00Z",
    "bucket=hour&from=0001-01-01T00:00:00Z",
    "to=0000-01-01T00:00:00Z",
    "from=9999-12-31T20:00:00Z&to=9999-12-31T23:30:00Z",
    "from=1969-12-31T20:00:00Z&to=1970-01-01T00:00:00Z",
  ])("refuses ?%s", async (query) => {
    const { status, json } = await stats(`?${query}`);
    expect([status, json.type]).toEqual([400, `${api.server.origin}/problems/invalid-parameter`]);
  });

  it("takes 1,500 buckets and no more", async () => {
    const { json } = await stats("?bucket=minute&from=2026-11-20T08:30:10Z&to=2026-11-21T09:30:00Z");
    expect(json.buckets).toHaveLength(1_500);
    expect((await stats("?bucket=minute&from=2026-11-20T08:29:59Z&to=2026-11-21T09:30:00Z")).status).toBe(
      400,
    );
  });

  it("needs webhooks:read, and is another tenant's as if it were none", async () => {
    expect((await stats("", await api.addKey(api.tenant.id, ["deliveries:read"]))).status).toBe(403);
    expect((await stats("", (await api.addTenant()).key)).status).toBe(404);
  });
});

describe("the circuit breaker", () => {
  const stored = () => [api.tenant.id, fromId("endpoint", endpoint)];
  it("is closed unless the endpoint failed again and again", async () => {
    expect((await stats()).json.circuit_breaker).toEqual({ state: "closed", until: null });
  });

  it("says when something is sent again, and of a closed one nothing", async () => {
    const set = (state: string) =>
      api.services.db.query(
        `insert into endpoint_health (tenant_id, endpoint_id, breaker_state, breaker_until)
         values ($1, $2, $3, '2026-11-21T09:31:00Z')
         on conflict (tenant_id, endpoint_id) do update set breaker_state = excluded.breaker_state`,
        [...stored(), state],
      );
    for (const state of ["open", "half_open"]) {
      await set(state);
      const until = "2026-11-21T09:31:00.000Z";
      expect((await stats()).json.circuit_breaker).toEqual({ state, until });
    }
    await set("closed");
    expect((await stats()).json.circuit_breaker).toEqual({ state: "closed", until: null });
  });
});
