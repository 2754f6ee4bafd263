import type { TraceContext } from "../domain/trace-context.ts";
import type { FinishedSpan } from "./tracer.ts";

/** Who tells of spans. */
export interface SpanSource {
  /** The name of the service, and its version. */
  service: string;
  version: string;
}

const KINDS = { server: 2, client: 3, producer: 4 };
const STATUS_ERROR = 2;
const SAMPLED = 1;

/** An ExportTraceServiceRequest in OTLP's JSON encoding (opentelemetry-proto 1, "OTLP/HTTP"). */
export function otlpJson({ service, version }: SpanSource, spans: readonly FinishedSpan[]): string {
  return JSON.stringify({
    resourceSpans: [
      {
        resource: {
          attributes: attributesOf({
            "service.name": service,
            "service.version": version,
            "process.pid": process.pid,
          }),
        },
        scopeSpans: [{ scope: { name: "posthorn", version }, spans: spans.map(spanOf) }],
      },
    ],
  });
}

function spanOf(span: FinishedSpan): object {
  const { traceId, spanId, parentSpanId, name, links = [] } = span;
  return {
    ...{ traceId, spanId, ...(parentSpanId === undefined ? {} : { parentSpanId }) },
    flags: SAMPLED,
    name,
    kind: KINDS[span.kind],
    startTimeUnixNano: nanosOf(span.startedAt),
    endTimeUnixNano: nanosOf(span.startedAt + span.durationMs),
    attributes: attributesOf(span.attributes),
    ...(links.length > 0 ? { links: links.map(linkOf) } : {}),
    status: span.isError ? { code: STATUS_ERROR } : {},
  };
}

const linkOf = ({ traceId, spanId, isSampled }: TraceContext) => ({
  ...{ traceId, spanId, flags: isSampled ? SAMPLED : 0 },
});

/** 64-bit numbers are decimal text; a microsecond is as exact as our clock is. */
const nanosOf = (ms: number) => `${Math.round(ms * 1000)}000`;

function attributesOf(attributes: FinishedSpan["attributes"]): object[] {
  return Object.entries(attributes).map(([key, value]) => ({ key, value: anyValue(value) }));
}

function anyValue(value: string | number): object {
  if (typeof value === "string") return { stringValue: value };
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}
