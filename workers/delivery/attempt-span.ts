import { toId } from "#contracts/ids.ts";
import { publishSpanIdOf, traceIdOf } from "#server/domain/trace-context.ts";
import type { FinishedSpan } from "#server/tracing/tracer.ts";
import type { Try } from "./settlement.ts";

/** The span of a try: in the trace of its event, under the span that stored the event. */
export function attemptSpan(
  spanId: string,
  { due, startedAt, result }: Pick<Try, "due" | "startedAt" | "result">,
): FinishedSpan {
  const { status } = result;
  const isError = status === null || status < 200 || status > 299;
  return {
    name: "deliver",
    kind: "client",
    traceId: traceIdOf(due.eventId),
    spanId,
    parentSpanId: publishSpanIdOf(due.eventId),
    startedAt: startedAt.getTime(),
    durationMs: result.timings.totalMs,
    attributes: {
      "posthorn.tenant": toId("tenant", due.tenantId),
      "posthorn.endpoint": toId("endpoint", due.endpointId),
      "posthorn.event": toId("event", due.eventId),
      "posthorn.delivery": toId("delivery", due.id),
      "posthorn.attempt": due.attempts + 1,
      ...(status === null ? {} : { "http.response.status_code": status }),
      ...(result.result.kind === "error" ? { "error.type": result.result.code } : {}),
    },
    isError,
  };
}
