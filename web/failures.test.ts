import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { fromId } from "#contracts/ids.ts";
import { listAuditRows } from "#db/queries/audit.ts";
import { openTestApi, type TestApi } from "./test-support.ts";
import { replaying, wholeRange } from "./testing/replaying.ts";

let api: TestApi;
let tool: ReturnType<typeof replaying>;
let first: string;
let second: string;
beforeAll(async () => {
  api = await openTestApi();
  tool = replaying(api);
  first = await tool.addEndpoint("https://example.com/first");
  second = await tool.addEndpoint("https://example.com/second");
});
afterAll(() => api.close());

/** Deliveries of the endpoint that have failed for a reason. */
async function fail(endpoint: string, reason: string, failureClass: string, count: number): Promise<void> {
  await tool.publish("order.paid", count);
  for (const other of [first, second]) if (other !== endpoint) await tool.settleAll(other, "delivered");
  await api.services.db.query(
    `update deliveries set failure_reason = $2, failure_class = $3 where endpoint_id = $1 and status = 'pending'`,
    [fromId("endpoint", endpoint), reason, failureClass],
  );
  await tool.settleAll(endpoint, "failed");
}

beforeEach(async () => {
  await api.services.db.query("delete from deliveries where tenant_id = $1", [api.tenant.id]);
  await fail(second, "http_422", "permanent", 2);
  await fail(first, "http_503", "exhausted", 3);
  await fail(first, "timeout", "exhausted", 1);
});

const failures = async (key = api.tenant.key) =>
  (await api.call("GET", "/deliveries/failures", { key })).json;
const dismiss = (json: object, query = "") => api.call("POST", `/deliveries/dismissals${query}`, { json });
const groupsOf = (json: { groups: { endpoint_id: string; failure_reason: string; count: number }[] }) =>
  json.groups.map(({ endpoint_id, failure_reason, count }) => [endpoint_id, failure_reason, count]);

describe("GET /deliveries/failures", () => {
  it("groups what has failed by endpoint and reason, the group that waits longest first", async () => {
    const json = await failures();
    expect([json.total, json.complete, json.days.length]).toEqual([6, true, 7]);
    expect(groupsOf(json)).toEqual([
      [second, "http_422", 2],
      [first, "http_503", 3],
      [first, "timeout", 1],
    ]);
    expect(json.groups[1]).toMatchObject({ failure_classes: ["exhausted"], per_day: [0, 0, 0, 0, 0, 0, 3] });
  });

  it("tells another tenant nothing of them", async () => {
    expect(await failures((await api.addTenant()).key)).toMatchObject({ total: 0, groups: [] });
  });

  it("needs deliveries:read", async () => {
    const key = await api.addKey(api.tenant.id, ["webhooks:read"]);
    expect((await api.call("GET", "/deliveries/failures", { key })).status).toBe(403);
  });
});

describe("the list of deliveries", () => {
  it("is narrowed by the reasons of failures", async () => {
    const { json } = await api.call("GET", "/deliveries?failure_reason=http_422&failure_reason=timeout");
    expect(json.items).toHaveLength(3);
    expect((await api.call("GET", "/deliveries?failure_reason=NO")).status).toBe(400);
  });
});

describe("a replay of a range", () => {
  it("is of the named reasons alone", async () => {
    const json = { ...wholeRange(), failure_reasons: ["http_503"] };
    const dry = await tool.start(first, "replays", json, "?dry_run=true");
    expect([dry.status, dry.json.total]).toEqual([200, 3]);
    const { json: replay } = await tool.start(first, "replays", json);
    expect(replay.selection.failure_reasons).toEqual(["http_503"]);
    await tool.startWorker();
    await expect
      .poll(async () => groupsOf(await failures()), { timeout: 50_000 })
      .toEqual([
        [second, "http_422", 2],
        [first, "timeout", 1],
      ]);
  });
});

describe("POST /deliveries/dismissals", () => {
  it("counts and changes nothing when it is dry", async () => {
    const { json } = await dismiss({ ...wholeRange(), endpoint_id: first }, "?dry_run=true");
    expect(json).toEqual({ total: 4, has_more: false });
    expect((await failures()).total).toBe(6);
  });

  it("closes those of an endpoint and a reason, and the audit log keeps why", async () => {
    const body = { ...wholeRange(), endpoint_id: first, failure_reasons: ["http_503"], reason: "by hand" };
    expect((await dismiss(body)).json).toEqual({ total: 3, has_more: false });
    expect(groupsOf(await failures())).toEqual([
      [second, "http_422", 2],
      [first, "timeout", 1],
    ]);
    const rows = await listAuditRows(api.services.db, api.tenant.id);
    expect(rows.at(-1)).toMatchObject({
      action: "deliveries.dismiss",
      target: first,
      after: { total: 3, reason: "by hand", failure_reasons: ["http_503"] },
    });
  });

  it("closes all without an endpoint, and none of another tenant", async () => {
    const { key } = await api.addTenant();
    const other = await api.call("POST", "/deliveries/dismissals", { key, json: wholeRange() });
    expect(other.json).toEqual({ total: 0, has_more: false });
    expect((await dismiss(wholeRange())).json.total).toBe(6);
    expect((await failures()).total).toBe(0);
  });

  it.each([
    [{ from: "2026-01-02T00:00:00Z", to: "2026-01-01T00:00:00Z" }, "#/from"],
    [{ from: "2026-01-01T00:00:00Z", to: "2026-02-01T00:00:01Z" }, "#/to"],
    [{ ...wholeRange(), failure_reasons: ["no such thing"] }, "#/failure_reasons/0"],
    [{ ...wholeRange(), reason: "" }, "#/reason"],
  ])("is refused when it is %j", async (json, pointer) => {
    const answer = await dismiss(json);
    expect([answer.status, answer.json.errors[0].pointer]).toEqual([422, pointer]);
  });

  it("needs deliveries:replay", async () => {
    const key = await api.addKey(api.tenant.id, ["deliveries:read"]);
    expect((await api.call("POST", "/deliveries/dismissals", { key, json: wholeRange() })).status).toBe(403);
  });
});
