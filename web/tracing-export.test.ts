import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { OtlpTracer } from "#server/tracing/otlp-tracer.ts";
import { eventually } from "#tests/eventually.ts";
import { openReceiver } from "#workers/delivery/fixtures/http-receiver.ts";
import { forkWorker } from "#workers/delivery/fixtures/worker-process.ts";
import { createWebServer } from "./server.ts";
import { openTestApi, type TestApi } from "./test-support.ts";

interface ToldSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  service: string;
  attributes: { key: string; value: { stringValue?: string; intValue?: string } }[];
}

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
});
afterAll(() => api.close());

/** An OpenTelemetry collector that keeps what it is told; with `isSilent` it never answers. */
async function openCollector(isSilent = false) {
  const spans: ToldSpan[] = [];
  const server = createServer(async (request, response) => {
    const { resourceSpans } = JSON.parse(Buffer.concat(await request.toArray()).toString());
    for (const { resource, scopeSpans } of resourceSpans)
      for (const span of scopeSpans[0].spans)
        spans.push({ ...span, service: resource.attributes[0].value.stringValue });
    if (!isSilent) response.end("{}");
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, spans };
}

async function setUp(collector: string, sampleRatio: number) {
  const receiver = await openReceiver((request) =>
    request.answer(request.headers["x-attempt"] === "1" ? 503 : 200),
  );
  const { log } = api.services;
  const tracer = new OtlpTracer({
    ...{ url: `${collector}/v1/traces`, headers: {}, service: "web", version: "1", sampleRatio, log },
    intervalMs: 50,
  });
  const web = await createWebServer({ services: { ...api.services, tracer } });
  onTestFinished(async () => {
    await web.close(500);
    await tracer.close();
  });
  const { key } = await api.addTenant();
  const call = async (path: string, json: object) => {
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    const answer = await fetch(`${web.origin}/api/v1${path}`, {
      ...{ method: "POST", headers, body: JSON.stringify(json) },
    });
    expect(answer.status).toBe(201);
    return answer.json();
  };
  await call("/webhook-endpoints", { url: receiver.origin, event_types: ["*"] });
  const worker = await forkWorker(
    { url: api.databaseUrl, encryptionKeys: api.encryptionKeys },
    {
      OTEL_EXPORTER_OTLP_ENDPOINT: `${collector}/`,
      OTEL_SERVICE_NAME: "worker",
      OTEL_TRACES_SAMPLER_ARG: String(sampleRatio),
    },
  );
  return { receiver, call, worker };
}

it("tells a collector of an event from publishing to each try, in one trace, over two processes", async () => {
  const { base, spans } = await openCollector();
  const { receiver, call } = await setUp(base, 1);
  const { id } = await call("/events", { type: "a", data: {} });
  const traceId = id.slice("evt_".length).replaceAll("-", "");
  const inTrace = () => spans.filter((span) => span.traceId === traceId);
  await eventually(() => expect(inTrace()).toHaveLength(3));

  const publish = inTrace().find(({ name }) => name === "publish");
  const tries = inTrace().filter(({ name }) => name === "deliver");
  expect(publish).toMatchObject({ spanId: traceId.slice(16), service: "web" });
  expect(tries).toMatchObject(Array(2).fill({ parentSpanId: publish?.spanId, service: "worker" }));
  const statuses = tries.map(
    ({ attributes }) => attributes.find(({ key }) => key === "http.response.status_code")?.value.intValue,
  );
  expect(statuses.sort()).toEqual(["200", "503"]);
  expect(receiver.received.map(({ headers }) => headers.traceparent)).toEqual(
    tries.map(({ spanId }) => `00-${traceId}-${spanId}-01`),
  );
});

it("tells of none where none is recorded, and receivers are told so", async () => {
  const { base, spans } = await openCollector();
  const { receiver, call, worker } = await setUp(base, 0);
  await call("/events", { type: "a", data: {} });
  await eventually(() => expect(receiver.received).toHaveLength(2));
  expect(receiver.received.map(({ headers }) => headers.traceparent)).toEqual(
    Array(2).fill(expect.stringMatching(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/)),
  );
  worker.kill("SIGTERM");
  await worker.ended;
  expect(spans).toEqual([]);
});

it("delivers as ever while the collector is silent, and stops in time", async () => {
  const { base } = await openCollector(true);
  const { receiver, call, worker } = await setUp(base, 1);
  for (let n = 0; n < 20; n++) await call("/events", { type: "a", data: {} });
  await eventually(() => expect(receiver.received).toHaveLength(40));
  const beganAt = performance.now();
  worker.kill("SIGTERM");
  expect(await worker.ended).toBe(0);
  expect(performance.now() - beganAt).toBeLessThan(9_000);
});
