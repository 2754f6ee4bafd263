import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { createLogger } from "#server/log/logger.ts";
import { recordingTracer } from "#server/tracing/testing-tracer.ts";
import { createTestDatabase, type TestDatabase } from "#tests/database.ts";
import { eventually } from "#tests/eventually.ts";
import { openReceiver } from "./fixtures/http-receiver.ts";
import { closedPort } from "./fixtures/receivers.ts";
import { openEngine, type TestEngine } from "./test-support.ts";

let database: TestDatabase;
let engine: TestEngine;
beforeAll(async () => {
  database = await createTestDatabase();
  engine = await openEngine(database.url);
});
beforeEach(() =>
  engine.db.query("truncate webhook_endpoints, endpoint_secrets, deliveries, undelivered, attempts cascade"),
);
afterAll(async () => {
  await engine?.close();
  await database?.drop();
});

type Line = Record<string, unknown>;

function recording(level: string) {
  const lines: Line[] = [];
  const destination = { write: (line: string) => void lines.push(JSON.parse(line)) };
  const tracer = recordingTracer();
  return {
    lines,
    spans: tracer.spans,
    over: { log: createLogger({ name: "test", level, destination }), tracer, retryScale: 1e-6 },
  };
}

it("has each try at debug and each end that is bad at warn, with all ids and the trace that was sent", async () => {
  const good = await openReceiver();
  const bad = await openReceiver((request) => request.answer(400));
  const { id: goodId } = await engine.addEndpoint({ url: good.origin, eventTypes: ["good"] });
  const { id: badId } = await engine.addEndpoint({ url: bad.origin, eventTypes: ["bad"] });
  await engine.addEndpoint({ url: `http://127.0.0.1:${await closedPort()}/`, eventTypes: ["dead"] });
  await engine.publish("good");
  await engine.publish("bad");
  await engine.publish("dead");
  const { lines, spans, over } = recording("debug");
  await engine.startWorker(over);
  await eventually(async () => expect(await engine.statuses()).toEqual({ delivered: 1, failed: 2 }));
  const tries = await engine.attempts();
  await eventually(() => {
    expect(lines.filter(({ msg }) => msg === "attempt")).toHaveLength(tries.length);
    // And one for each event that tells of a delivery that has failed.
    expect(spans.map(({ name }) => name).sort()).toEqual([
      ...tries.map(() => "deliver"),
      ...["publish", "publish"],
    ]);
  });

  const [request] = good.received;
  const [, trace, span] = String(request?.headers.traceparent).split("-");
  const of = (endpoint: string) => lines.find((line) => line.msg === "attempt" && line.endpoint === endpoint);
  expect(of(`whe_${goodId}`)).toMatchObject({
    level: "debug",
    delivery: request?.headers["x-delivery"],
    event: JSON.parse(String(request?.body)).id,
    tenant: `ten_${engine.tenantId}`,
    trace_id: trace,
    attempt: 1,
    outcome: "ok",
    error_code: null,
    status: 200,
  });
  expect(spans.find(({ traceId }) => traceId === trace)).toMatchObject({
    name: "deliver",
    kind: "client",
    spanId: span,
    parentSpanId: trace?.slice(16),
    attributes: { "http.response.status_code": 200, "posthorn.endpoint": `whe_${goodId}` },
    isError: false,
  });
  expect(of(`whe_${badId}`)).toMatchObject({ outcome: "permanent", error_code: "http_400", status: 400 });

  const warned = lines.filter(({ msg }) => String(msg).startsWith("delivery failed"));
  expect(warned).toMatchObject([
    {
      level: "warn",
      msg: "delivery failed for good",
      endpoint: `whe_${badId}`,
      failure_class: "permanent",
      attempt: 1,
    },
    {
      msg: "delivery failed: its retries are exhausted",
      failure_class: "exhausted",
      error_code: "connection_refused",
    },
  ]);
  for (const line of warned)
    expect(Object.keys(line)).toEqual(
      expect.arrayContaining(["delivery", "event", "endpoint", "tenant", "trace_id"]),
    );
  expect(JSON.stringify(lines)).not.toContain(good.origin);
});

it.each(["trace", "silent"])("does the same at LOG_LEVEL=%s", async (level) => {
  const receiver = await openReceiver((request) =>
    request.answer(request.headers["x-attempt"] === "1" ? 503 : 200),
  );
  await engine.addEndpoint({ url: receiver.origin, eventTypes: ["*"] });
  await engine.publish("good", 20);
  const { lines, over } = recording(level);
  await engine.startWorker(over);
  await eventually(async () => expect(await engine.statuses()).toEqual({ delivered: 20 }));
  expect((await engine.attempts()).map(({ outcome }) => outcome)).toEqual(
    Array.from({ length: 20 }, () => ["retry", "ok"]).flat(),
  );
  expect(lines.length > 0).toBe(level === "trace");
});
