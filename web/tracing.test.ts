import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { createLogger } from "#server/log/logger.ts";
import type { FinishedSpan, Tracer } from "#server/tracing/tracer.ts";
import { createWebServer, type WebServer } from "./server.ts";
import { openTestApi, type TestApi } from "./test-support.ts";

const CALLER = { traceId: "4bf92f3577b34da6a3ce929d0e0e4736", spanId: "00f067aa0ba902b7" };
const TRACEPARENT = `00-${CALLER.traceId}-${CALLER.spanId}-01`;

let api: TestApi;
let server: WebServer;
const spans: FinishedSpan[] = [];
const lines: Record<string, unknown>[] = [];
beforeAll(async () => {
  api = await openTestApi();
  const tracer: Tracer = { isEnabled: true, record: (span) => void spans.push(span) };
  const destination = { write: (line: string) => void lines.push(JSON.parse(line)) };
  const log = createLogger({ name: "test", level: "debug", destination });
  server = await createWebServer({ services: { ...api.services, tracer, log } });
});
afterAll(async () => {
  await server.close(1_000);
  await api.close();
});
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
  expect(spans).toMatchObject([
    {
      name: "publish",
      kind: "server",
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
  expect(spans.map(({ traceId }) => traceId)).toEqual(
    created.map((each: { id: string }) => traceOf(each.id)),
  );
  expect(spans.every(({ links }) => links?.[0]?.traceId === CALLER.traceId)).toBe(true);
});

it("tells of an idempotent request once", async () => {
  const once = { "idempotency-key": "traced-once" };
  const first = await post("/events", { type: "a", data: {} }, once);
  const again = await post("/events", { type: "a", data: {} }, once);
  expect(again.json).toEqual(first.json);
  expect(spans.map(({ traceId }) => traceId)).toEqual([traceOf(first.json.id)]);
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
  expect(spans[0]).not.toHaveProperty("links");
  expect(lines[0]).not.toHaveProperty("caller_trace_id");
});
