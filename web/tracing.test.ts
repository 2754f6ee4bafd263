import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { createLogger } from "#server/log/logger.ts";
import { recordingTracer } from "#server/tracing/testing-tracer.ts";
import { createWebServer, type WebServer } from "./server.ts";
import { openTestApi, type TestApi } from "./test-support.ts";

const CALLER = { traceId: "4bf92f3577b34da6a3ce929d0e0e4736", spanId: "00f067aa0ba902b7" };
const TRACEPARENT = `00-${CALLER.traceId}-${CALLER.spanId}-01`;

let api: TestApi;
let server: WebServer;
const tracer = recordingTracer();
const { spans } = tracer;
const lines: Record<string, unknown>[] = [];
beforeAll(async () => {
  api = await openTestApi();
  const destination = { write: (line: string) => void lines.push(JSON.parse(line)) };
  const log = createLogger({ name: "test", level: "debug", destination });
  server = await createWebServer({ services: { ...api.services, tracer, log } });
});
afterAll(async () => {
  await server.close(1_000);
  await api.close();
});
const published = () => spans.filter(({ kind }) => kind === "producer");
const served = () => spans.filter(({ kind }) => kind === "server");
beforeEach(() => {
  spans.length = 0;
  lines.length = 0;
});

async function post(path: string, json: object, headers: Record<string, string> = {}) {
  const answer = await fetch(`${server.origin}/api/v1${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${api.tenant.key}`, "content-type": "application/json", ...headers },
    body: JSON.stringify(json),
  });
  return { status: answer.status, requestId: answer.headers.get("x-request-id"), json: await answer.json() };
}

const traceOf = (event: string) => event.slice("evt_".length).replaceAll("-", "");

it("begins the trace of each event, links it to the caller's, and logs both with the request", async () => {
  const { json, requestId } = await post("/events", { type: "a", data: {} }, { traceparent: TRACEPARENT });
  const trace = traceOf(json.id);
  expect(published()).toMatchObject([
    {
      name: "publish",
      kind: "producer",
      traceId: trace,
      spanId: trace.slice(16),
      links: [{ ...CALLER, isSampled: true }],
      attributes: { "posthorn.event": json.id, "posthorn.request": requestId },
      isError: false,
    },
  ]);
  expect(lines).toMatchObject([
    { msg: "published", requestId, event: json.id, trace_id: trace, caller_trace_id: CALLER.traceId },
  ]);
});

it("links every event of a batch, and none that was there before or was refused", async () => {
  const { json: first } = await post("/events", { type: "a", data: {} });
  const again = { id: first.id, type: "a", data: {} };
  spans.length = 0;
  const events = [again, { type: "a", data: {} }, { type: "!", data: {} }, { type: "b", data: {} }];
  const { json } = await post("/events/batch", { events }, { traceparent: TRACEPARENT });
  const created = json.results.filter((result: { status: number }) => result.status === 201);
  expect(published().map(({ traceId }) => traceId)).toEqual(
    created.map((each: { id: string }) => traceOf(each.id)),
  );
  expect(published().every(({ links }) => links?.[0]?.traceId === CALLER.traceId)).toBe(true);
});

it("tells of an idempotent request once", async () => {
  const once = { "idempotency-key": "traced-once" };
  const first = await post("/events", { type: "a", data: {} }, once);
  const again = await post("/events", { type: "a", data: {} }, once);
  expect(again.json).toEqual(first.json);
  expect(published().map(({ traceId }) => traceId)).toEqual([traceOf(first.json.id)]);
});

it.each([
  "",
  "00-abc",
  `00-${"0".repeat(32)}-${CALLER.spanId}-01`,
  `${TRACEPARENT}-x`,
  `ff${TRACEPARENT.slice(2)}`,
])("takes a request with a traceparent that is none as one without: %j", async (traceparent) => {
  const { status } = await post("/events", { type: "a", data: {} }, { traceparent });
  expect(status).toBe(201);
  expect(spans).toHaveLength(1);
  expect(spans[0]).not.toHaveProperty("links");
  expect(lines[0]).not.toHaveProperty("caller_trace_id");
});

it("is a span of the caller's trace, where that is recorded", async () => {
  const created = await post("/events", { type: "a", data: {} }, { traceparent: TRACEPARENT });
  const refused = await post("/events", { type: "!", data: {} }, { traceparent: TRACEPARENT });
  await fetch(`${server.origin}/api/v1/nowhere`, { headers: { traceparent: TRACEPARENT } });
  const inTrace = { traceId: CALLER.traceId, parentSpanId: CALLER.spanId, kind: "server" };
  const route = { "http.request.method": "POST", "http.route": "/api/v1/events" };
  const of = (status: number, requestId: string | null) => ({
    ...{ ...inTrace, name: "POST /api/v1/events", isError: false },
    attributes: { ...route, "http.response.status_code": status, "posthorn.request": requestId },
  });
  expect(served()).toMatchObject([
    of(201, created.requestId),
    of(422, refused.requestId),
    { ...inTrace, name: "HTTP", attributes: { "http.response.status_code": 404 } },
  ]);
  expect(new Set(served().map(({ spanId }) => spanId)).size).toBe(3);
  expect(served().every(({ spanId }) => /^[0-9a-f]{16}$/.test(spanId) && spanId !== CALLER.spanId)).toBe(
    true,
  );
});

it("is none where the caller's trace is not recorded; its events have their own", async () => {
  await post("/events", { type: "a", data: {} }, { traceparent: `${TRACEPARENT.slice(0, -2)}00` });
  expect(served()).toEqual([]);
  expect(published()).toMatchObject([{ links: [{ ...CALLER, isSampled: false }] }]);
});

it("begins the trace of each event that a change of a cart, an order or an endpoint makes", async () => {
  const call = async (
    method: string,
    path: string,
    json: object = {},
    headers: Record<string, string> = {},
  ) => {
    const answer = await fetch(`${server.origin}/api/v1${path}`, {
      method,
      headers: {
        ...{ authorization: `Bearer ${api.tenant.key}`, traceparent: TRACEPARENT },
        ...{ "content-type": "application/json", "idempotency-key": `${method}:${path}`, ...headers },
      },
      ...(method === "DELETE" ? {} : { body: JSON.stringify(json) }),
    });
    expect(answer.status, `${method} ${path}`).toBeLessThan(300);
    const text = await answer.text();
    return { requestId: answer.headers.get("x-request-id"), json: text ? JSON.parse(text) : {} };
  };
  const { json: cart } = await call("POST", "/carts", { owner: "o" });
  const path = `/carts/${cart.cartId}`;
  await call("PUT", `${path}/items/a`, { quantity: 1, unit_price: 2 });
  await call("PATCH", path, { owner: "p" }, { "if-match": '"2"' });
  const { json: order } = await call("POST", `${path}/checkout`);
  await call("POST", `/orders/${order.id}/payment`);
  const cancelled = await call("PUT", `/orders/${order.id}/cancellation`);
  await call("DELETE", path);
  const { json: endpoint } = await call("POST", "/webhook-endpoints", {
    url: "http://127.0.0.1:9999/",
    event_types: ["*"],
  });
  await call("POST", `/webhook-endpoints/${endpoint.id}/test-events`);

  const { items } = await (
    await fetch(`${server.origin}/api/v1/events?limit=1000`, {
      headers: { authorization: `Bearer ${api.tenant.key}` },
    })
  ).json();
  const spansOf = published();
  const types = new Map(items.map((event: { id: string; type: string }) => [traceOf(event.id), event.type]));
  expect(spansOf.map(({ traceId }) => types.get(traceId))).toEqual([
    ...["CartCreated", "CartItemUpdated", "CartUpdated", "OrderCreated", "CartCheckedOut", "PaymentCaptured"],
    ...["OrderCancelled", "CartDeleted", "Ping"],
  ]);
  for (const { spanId, traceId, links } of spansOf) {
    expect(spanId).toBe(traceId.slice(16));
    expect(links).toEqual([{ ...CALLER, isSampled: true }]);
  }
  expect(spansOf[6]?.attributes["posthorn.request"]).toBe(cancelled.requestId);
});
