import type { Operation } from "#contracts/operation.ts";
import { parseTraceparent } from "../domain/trace-context.ts";
import { newSpanId } from "../tracing/span-id.ts";
import type { Tracer } from "../tracing/tracer.ts";
import type { ApiRequest, ApiResponse } from "./message.ts";

/** A request that has its answer. */
export interface Answered {
  /** `undefined` where path or method is none of ours. */
  operation: Operation | undefined;
  answer: ApiResponse;
  durationMs: number;
  prefix: string;
}

/**
 * The span of a request in the trace of whoever sent it, when that trace is recorded. A request that names none has no span:
 * what it publishes begins traces of its own.
 */
export function traceRequest(tracer: Tracer, request: ApiRequest, answered: Answered): void {
  if (!tracer.isEnabled) return;
  const caller = parseTraceparent(request.header("traceparent"));
  if (!caller?.isSampled) return;
  const { operation, answer, durationMs, prefix } = answered;
  const route = operation && prefix + operation.path;
  const requestId = answer.headers["x-request-id"];
  tracer.record({
    name: operation ? `${operation.method} ${route}` : "HTTP",
    kind: "server",
    traceId: caller.traceId,
    spanId: newSpanId(),
    parentSpanId: caller.spanId,
    startedAt: Date.now() - durationMs,
    durationMs,
    attributes: {
      ...(operation && route ? { "http.request.method": operation.method, "http.route": route } : {}),
      "http.response.status_code": answer.status,
      ...(requestId === undefined ? {} : { "posthorn.request": requestId }),
    },
    isError: answer.status >= 500,
  });
}
