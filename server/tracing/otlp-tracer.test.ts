import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { cpuMsOf } from "#tests/cpu-time.ts";
import { eventually } from "#tests/eventually.ts";
import { createLogger } from "../log/logger.ts";
import { type OtlpOptions, OtlpTracer } from "./otlp-tracer.ts";
import type { FinishedSpan } from "./tracer.ts";

interface Told {
  headers: IncomingMessage["headers"];
  path: string | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: JSON of a protocol.
  json: any;
}

type Reply = { status?: number; headers?: Record<string, string>; body?: string } | "silence";

/** A collector on a loopback port; `reply` is asked for each request, which is counted from 1. */
async function openCollector(reply: (request: number) => Reply = () => ({})) {
  const told: Told[] = [];
  const server = createServer(async (request, response) => {
    const chunks = await request.toArray();
    const { headers, url: path } = request;
    told.push({ headers, path, json: JSON.parse(Buffer.concat(chunks).toString()) });
    const answer = reply(told.length);
    if (answer !== "silence")
      response.writeHead(answer.status ?? 200, answer.headers).end(answer.body ?? "{}");
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/traces`;
  const spans = () => told.flatMap(({ json }) => json.resourceSpans[0].scopeSpans[0].spans);
  return { url, told, spans };
}

const lines: Record<string, unknown>[] = [];
const destination = { write: (line: string) => void lines.push(JSON.parse(line)) };

function newTracer(url: string, options: Partial<OtlpOptions> = {}): OtlpTracer {
  lines.length = 0;
  const tracer = new OtlpTracer({
    ...{ url, headers: {}, service: "posthorn", version: "1.2.3", sampleRatio: 1 },
    ...{ log: createLogger({ name: "test", level: "debug", destination }), intervalMs: 20, firstPauseMs: 5 },
    ...options,
  });
  onTestFinished(() => tracer.close());
  return tracer;
}

const span = (n = 1): FinishedSpan => ({
  ...{
    name: "deliver",
    kind: "client",
    traceId: n.toString(16).padStart(32, "0"),
    spanId: "00f067aa0ba902b7",
  },
  ...{ startedAt: 1_795_255_213_299.125, durationMs: 1.5, attributes: {}, isError: false },
});

const none = { full: 0, failed: 0 };

describe("an exported span", () => {
  it("is told as OTLP has it in JSON, with what the collector wants to be told", async () => {
    const { url, told } = await openCollector();
    const tracer = newTracer(url, { headers: { "x-key": "k 1" } });
    tracer.record({
      ...span(),
      parentSpanId: "aaaaaaaaaaaaaaaa",
      links: [{ traceId: "b".repeat(32), spanId: "c".repeat(16), isSampled: false }],
      attributes: { "posthorn.event": "evt_1", "http.response.status_code": 500, ratio: 0.5 },
      isError: true,
    });
    await eventually(() => expect(tracer.figures()).toEqual({ exported: 1, dropped: none }));
    expect(told).toHaveLength(1);
    expect(told[0]).toMatchObject({
      path: "/v1/traces",
      headers: { "content-type": "application/json", "x-key": "k 1" },
    });
    expect(told[0]?.json).toEqual({
      resourceSpans: [
        {
          resource: {
            attributes: [
              { key: "service.name", value: { stringValue: "posthorn" } },
              { key: "service.version", value: { stringValue: "1.2.3" } },
              { key: "process.pid", value: { intValue: String(process.pid) } },
            ],
          },
          scopeSpans: [
            {
              scope: { name: "posthorn", version: "1.2.3" },
              spans: [
                {
                  traceId: `${"0".repeat(31)}1`,
                  spanId: "00f067aa0ba902b7",
                  parentSpanId: "aaaaaaaaaaaaaaaa",
                  flags: 1,
                  name: "deliver",
                  kind: 3,
                  startTimeUnixNano: "1795255213299125000",
                  endTimeUnixNano: "1795255213300625000",
                  attributes: [
                    { key: "posthorn.event", value: { stringValue: "evt_1" } },
                    { key: "http.response.status_code", value: { intValue: "500" } },
                    { key: "ratio", value: { doubleValue: 0.5 } },
                  ],
                  links: [{ traceId: "b".repeat(32), spanId: "c".repeat(16), flags: 0 }],
                  status: { code: 2 },
                },
              ],
            },
          ],
        },
      ],
    });
  });

  it("goes with others in one request, and thousands in few", async () => {
    const { url, told, spans } = await openCollector();
    const tracer = newTracer(url, { maxBatch: 100 });
    for (let n = 1; n <= 1050; n++) tracer.record(span(n));
    await eventually(() => expect(tracer.figures().exported).toBe(1050));
    expect(told).toHaveLength(11);
    expect(new Set(spans().map(({ traceId }) => traceId)).size).toBe(1050);
  });
});

describe("a collector that", () => {
  it.each([429, 502, 503, 504])("answers %i is told again, once it has taken a breath", async (status) => {
    const { url, told } = await openCollector((request) => (request < 3 ? { status } : {}));
    const tracer = newTracer(url);
    tracer.record(span());
    await eventually(() => expect(tracer.figures()).toEqual({ exported: 1, dropped: none }));
    expect(told.map(({ json }) => JSON.stringify(json))).toEqual(
      Array(3).fill(JSON.stringify(told[0]?.json)),
    );
    expect(lines).toMatchObject([{ level: "warn", msg: "the trace collector does not take spans", status }]);
  });

  it.each([400, 401, 404, 413, 500, 301])("answers %i is not told again", async (status) => {
    const { url, told } = await openCollector((request) =>
      request === 1 ? { status, headers: { location: "/" } } : {},
    );
    const tracer = newTracer(url, { maxBatch: 1 });
    tracer.record(span(1));
    tracer.record(span(2));
    await eventually(() =>
      expect(tracer.figures()).toEqual({ exported: 1, dropped: { full: 0, failed: 1 } }),
    );
    expect(told).toHaveLength(2);
  });

  it.each([
    ['{"partialSuccess":{"rejectedSpans":"1","errorMessage":"x"}}', 1],
    ['{"partialSuccess":{"rejectedSpans":2}}', 2],
    ['{"partialSuccess":{"rejectedSpans":99}}', 3],
    ['{"partialSuccess":{"rejectedSpans":-1}}', 0],
    ["null", 0],
    ["", 0],
    ["<html>", 0],
  ])("says %s has refused %i of three", async (body, failed) => {
    const { url } = await openCollector(() => ({ body }));
    const tracer = newTracer(url);
    for (const n of [1, 2, 3]) tracer.record(span(n));
    await eventually(() =>
      expect(tracer.figures()).toEqual({ exported: 3 - failed, dropped: { full: 0, failed } }),
    );
  });

  it("is silent costs nobody anything: what has no room is dropped and counted, and told when it is back", async () => {
    const { url, told } = await openCollector((request) => (request === 1 ? "silence" : {}));
    const tracer = newTracer(url, { maxWaiting: 50, maxBatch: 10, timeoutMs: 300 });
    const ms = cpuMsOf(() => {
      for (let n = 1; n <= 1000; n++) tracer.record(span(n));
    });
    expect(ms).toBeLessThan(200);
    // Ten are on their way, fifty wait.
    expect(tracer.figures()).toEqual({ exported: 0, dropped: { full: 940, failed: 0 } });
    await eventually(() => expect(tracer.figures().exported).toBe(60));
    expect(told.length).toBe(7);
  });

  it("is not there is tried again, and the log has no more than a line a minute and no header", async () => {
    const { url } = await openCollector();
    const nowhere = url.replace(/:\d+/, ":1");
    const tracer = newTracer(nowhere, { headers: { authorization: "very-secret" }, closeMs: 200 });
    tracer.record(span());
    await eventually(() => expect(lines).toHaveLength(1));
    await tracer.close();
    expect(tracer.figures()).toEqual({ exported: 0, dropped: { full: 0, failed: 1 } });
    expect(lines).toHaveLength(1);
    expect(JSON.stringify(lines)).not.toContain("very-secret");
  });
});

describe("close", () => {
  it("tells what waits, and takes nothing more", async () => {
    const { url, spans } = await openCollector();
    const tracer = newTracer(url, { intervalMs: 3_600_000, maxBatch: 10 });
    for (let n = 1; n <= 25; n++) tracer.record(span(n));
    await tracer.close();
    expect(spans()).toHaveLength(25);
    tracer.record(span(26));
    expect(tracer.figures()).toEqual({ exported: 25, dropped: { full: 1, failed: 0 } });
  });

  it("waits no longer than it may for a collector that is silent", async () => {
    const { url } = await openCollector(() => "silence");
    const tracer = newTracer(url, { closeMs: 100, maxBatch: 10 });
    for (let n = 1; n <= 25; n++) tracer.record(span(n));
    const beganAt = performance.now();
    await tracer.close();
    expect(performance.now() - beganAt).toBeLessThan(2000);
    expect(tracer.figures()).toEqual({ exported: 0, dropped: { full: 15, failed: 10 } });
  });
});

describe("the share of traces that are recorded", () => {
  const ids = Array.from({ length: 4000 }, (_, n) => {
    const digits = Math.floor(((n * 2_654_435_761) % 2 ** 32) * 2 ** 20).toString(16);
    return digits.padStart(32, "0");
  });

  it.each([0, 0.1, 0.5, 1])(
    "is %d, by the trace's id, and holds those of every smaller share",
    async (sampleRatio) => {
      const of = (ratio: number) => {
        const tracer = newTracer("http://127.0.0.1:1/", { sampleRatio: ratio });
        return ids.filter((id) => tracer.samples(id));
      };
      const sampled = of(sampleRatio);
      expect(Math.abs(sampled.length / ids.length - sampleRatio)).toBeLessThan(0.03);
      const all = new Set(sampled);
      expect(of(sampleRatio / 2).every((id) => all.has(id))).toBe(true);
    },
  );
});
