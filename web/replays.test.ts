import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fromId, toId } from "#contracts/ids.ts";
import type { Replay } from "#contracts/replays.ts";
import { listAuditRows } from "#db/queries/audit.ts";
import type { TestApi } from "./test-support.ts";
import { replaying, wholeRange } from "./testing/replaying.ts";
import { openStaffApi } from "./testing/staff-api.ts";

let api: TestApi;
let tool: ReturnType<typeof replaying>;
let endpoint: string;
beforeAll(async () => {
  api = await openStaffApi();
  tool = replaying(api);
  endpoint = await tool.addEndpoint("https://example.com/x");
  for (const status of ["delivered", "failed", "cancelled", "dismissed"]) {
    await tool.publish("order.paid", 1);
    await tool.publish("orderXpaid", 1);
    await tool.settleAll(endpoint, status);
  }
});
afterAll(() => api.close());

const dryTotal = async (json: unknown, kind: "replays" | "recoveries" = "replays") =>
  (await tool.start(endpoint, kind, json, "?dry_run=true")).json.total;
const pointers = (json: { errors: { pointer: string }[] }) => json.errors.map(({ pointer }) => pointer);
const setStatus = (status: string) =>
  api.services.db.query("update webhook_endpoints set status = $2 where id = $1", [
    fromId("endpoint", endpoint),
    status,
  ]);

describe("the selection of a replay", () => {
  it("is what failed, unless it names other states and types", async () => {
    const range = wholeRange();
    expect(await dryTotal(range)).toBe(2);
    expect(await dryTotal({ ...range, statuses: ["delivered", "dismissed"] })).toBe(4);
    expect(await dryTotal({ ...range, event_types: ["order.paid"] })).toBe(1);
    expect(await dryTotal({ ...range, event_types: ["order*"] })).toBe(2);
    expect(await dryTotal({ ...range, event_types: ["other", "*"] })).toBe(2);
    expect(await dryTotal({ ...range, event_types: ["order_paid", "order"] })).toBe(0);
  });

  it("begins with its first moment and ends before its last", async () => {
    const { json } = await api.call("GET", "/deliveries?status=failed");
    const times = json.items.map((item: { created_at: string }) => Date.parse(item.created_at)).sort();
    const iso = (ms: number) => new Date(ms).toISOString();
    expect(await dryTotal({ from: iso(times[0]), to: iso(times[1] + 1) })).toBe(2);
    expect(await dryTotal({ from: iso(times[0] - 5), to: iso(times[0]) })).toBe(0);
    expect(await dryTotal({ from: iso(times[0]), to: iso(times[0]) })).toBe(0);
    expect(await dryTotal({ from: iso(times[1] + 1), to: iso(times[1] + 9) })).toBe(0);
  });

  it.each([
    [{ from: "2026-01-02T00:00:00Z", to: "2026-01-01T00:00:00Z" }, ["#/from"]],
    [{ from: "2026-01-01T00:00:00Z", to: "2026-02-01T00:00:01Z" }, ["#/to"]],
    [{ from: "1969-12-31T00:00:00Z", to: "1970-01-02T00:00:00Z" }, ["#/from"]],
    [{ from: "2150-01-01T00:00:00Z", to: "2150-01-02T00:00:00Z" }, ["#/from"]],
    [{ from: "yesterday", to: "2026-01-01T00:00:00Z" }, ["#/from"]],
    [{ to: "2026-01-01T00:00:00Z" }, ["#/from"]],
    [{ ...wholeRange(), statuses: ["pending"] }, ["#/statuses/0"]],
    [{ ...wholeRange(), statuses: [] }, ["#/statuses"]],
    [{ ...wholeRange(), event_types: ["a b"] }, ["#/event_types/0"]],
    [{ ...wholeRange(), limit: 5 }, ["#/limit"]],
  ])("is refused when it is %j", async (json, where) => {
    for (const query of ["", "?dry_run=true"]) {
      const answer = await tool.start(endpoint, "replays", json, query);
      expect([answer.status, pointers(answer.json)]).toEqual([422, where]);
    }
  });

  it("of a recovery begins within the last 31 days", async () => {
    const at = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
    for (const since of [at(1), at(-31.1)]) {
      const { status, json } = await tool.start(endpoint, "recoveries", { since });
      expect([status, pointers(json)]).toEqual([422, ["#/since"]]);
    }
    expect(await dryTotal({ since: at(-30.9) }, "recoveries")).toBe(4);
    expect(await dryTotal({ since: at(0) }, "recoveries")).toBe(0);
  });

  it("refuses a dry_run that is neither true nor false", async () => {
    expect((await tool.start(endpoint, "replays", wholeRange(), "?dry_run=yes")).status).toBe(400);
  });
});

describe("a replay", () => {
  it("is queued, listed, read and cancelled, and the audit log tells by whom", async () => {
    const { status, json } = await tool.start(endpoint, "replays", wholeRange());
    expect([status, json.status, json.kind, json.total]).toEqual([202, "queued", "replay", 2]);
    expect(json.selection.statuses).toEqual(["failed"]);
    expect(await tool.read(json.id)).toEqual(json);
    expect((await api.call("GET", `/replays?endpoint_id=${endpoint}&status=queued`)).json.items).toEqual([
      json,
    ]);
    expect((await api.call("GET", "/replays?status=completed")).json.items).toEqual([]);

    const cancelled = await api.call("POST", `/replays/${json.id}/cancel`);
    expect([cancelled.status, cancelled.json.status]).toEqual([200, "cancelled"]);
    expect(cancelled.json.completed_at).not.toBeNull();
    const again = await api.call("POST", `/replays/${json.id}/cancel`);
    expect([again.status, again.json.state]).toEqual([409, "cancelled"]);
    expect(again.json.links.map((link: { rel: string }) => link.rel)).toEqual(["self"]);
    // Nothing was put back.
    expect(await dryTotal(wholeRange())).toBe(2);

    const log = await listAuditRows(api.services.db, api.tenant.id);
    expect(log.slice(-2)).toMatchObject([
      { action: "replay.create", target: json.id, after: { total: 2, endpoint_id: endpoint } },
      { action: "replay.cancel", target: json.id, after: { status: "cancelled" } },
    ]);
  });

  it("tells who made it: a key by its name, and staff by their e-mail to staff alone", async () => {
    const byKey = await tool.start(endpoint, "replays", wholeRange());
    expect(byKey.json.created_by).toEqual({
      kind: "api_key",
      id: expect.stringMatching(/^key_/),
      name: expect.any(String),
    });
    const asStaff = {
      key: null,
      headers: {
        cookie: "role=support",
        "sec-fetch-site": "same-origin",
        "posthorn-tenant": toId("tenant", api.tenant.id),
      },
    };
    const path = `/webhook-endpoints/${endpoint}/replays`;
    const { json } = await api.call("POST", path, { ...asStaff, json: wholeRange() });
    const support = { kind: "staff", id: "support@example.com", name: null };
    expect(json.created_by).toEqual(support);
    expect((await api.call("GET", `/replays/${json.id}`, asStaff)).json.created_by).toEqual(support);
    const { items } = (await api.call("GET", "/replays?limit=2")).json;
    expect(items.map((item: Replay) => item.created_by)).toEqual([
      { ...support, id: null },
      byKey.json.created_by,
    ]);
  });

  it("is made once for one Idempotency-Key", async () => {
    const call = () =>
      api.call("POST", `/webhook-endpoints/${endpoint}/replays`, {
        json: { from: "2026-01-01T00:00:00Z", to: "2026-01-02T00:00:00Z" },
        headers: { "idempotency-key": "replay-1" },
      });
    const answers = await Promise.all([call(), call(), call()]);
    expect(new Set(answers.map(({ json }) => json.id)).size).toBe(1);
    expect(new Set(answers.map(({ headers }) => headers.get("location"))).size).toBe(1);
  });

  it("is refused for an endpoint that is disabled, and waits for one that is paused", async () => {
    await setStatus("disabled");
    for (const kind of ["replays", "recoveries"] as const) {
      const body = kind === "replays" ? wholeRange() : { since: wholeRange().from };
      const { status, json } = await tool.start(endpoint, kind, body);
      expect([status, json.state]).toEqual([409, "disabled"]);
    }
    await setStatus("paused");
    expect((await tool.start(endpoint, "replays", wholeRange())).status).toBe(202);
    await setStatus("enabled");
  });

  it("pages through the list both ways", async () => {
    const all = (await api.call("GET", "/replays")).json.items;
    expect(all.length).toBeGreaterThan(2);
    const first = await api.call("GET", "/replays?limit=2");
    const second = await api.call("GET", `/replays?limit=2&after=${first.json.next_cursor}`);
    const back = await api.call("GET", `/replays?limit=2&after=${second.json.prev_cursor}`);
    expect([...first.json.items, ...second.json.items]).toEqual(all.slice(0, 4));
    expect(back.json.items).toEqual(first.json.items);
  });

  it("needs deliveries:replay to be made, and is another tenant's as if it were none", async () => {
    const reader = await api.addKey(api.tenant.id, ["deliveries:read"]);
    const path = `/webhook-endpoints/${endpoint}/replays`;
    expect((await api.call("POST", path, { key: reader, json: wholeRange() })).status).toBe(403);
    const { json } = await tool.start(endpoint, "replays", wholeRange());
    expect((await api.call("POST", `/replays/${json.id}/cancel`, { key: reader })).status).toBe(403);
    expect((await api.call("GET", `/replays/${json.id}`, { key: reader })).status).toBe(200);
    const { key } = await api.addTenant();
    expect((await api.call("POST", path, { key, json: wholeRange() })).status).toBe(404);
    expect((await api.call("GET", `/replays/${json.id}`, { key })).status).toBe(404);
    expect((await api.call("POST", `/replays/${json.id}/cancel`, { key })).status).toBe(404);
    expect((await api.call("GET", "/replays", { key })).json.items).toEqual([]);
  });
});

it("says after two seconds that a selection cannot be counted in time", async () => {
  const { db } = api.services;
  const client = await db.pool.connect();
  try {
    await client.query("begin; lock table deliveries in access exclusive mode");
    const { status, json, headers } = await tool.start(endpoint, "replays", wholeRange());
    expect([status, json.type]).toEqual([503, `${api.server.origin}/problems/timeout`]);
    expect(headers.get("retry-after")).toBe("2");
  } finally {
    await client.query("rollback");
    client.release();
  }
});
