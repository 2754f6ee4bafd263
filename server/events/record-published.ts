import { toId } from "#contracts/ids.ts";
import { publishSpanIdOf, type TraceContext, traceIdOf } from "../domain/trace-context.ts";
import type { Tracer } from "../tracing/tracer.ts";

/** Who tells of events that were stored: a call, or a job, which has neither request nor caller. */
export interface PublishTracing {
  tracer?: Tracer | undefined;
  requestId?: string;
  caller?: TraceContext | undefined;
}

/** The span of an event that is stored: the first of the trace of its id, linked to that of the caller, if it named one. */
export function recordPublished(
  { tracer, requestId, caller }: PublishTracing,
  tenantId: string,
  { eventId, durationMs }: { eventId: string; durationMs: number },
): void {
  if (!tracer?.isEnabled) return;
  const traceId = traceIdOf(eventId);
  if (!tracer.samples(traceId)) return;
  tracer.record({
    name: "publish",
    kind: "producer",
    traceId,
    spanId: publishSpanIdOf(eventId),
    ...(caller ? { links: [caller] } : {}),
    startedAt: Date.now() - durationMs,
    durationMs,
    attributes: {
      "posthorn.tenant": toId("tenant", tenantId),
      "posthorn.event": toId("event", eventId),
      ...(requestId === undefined ? {} : { "posthorn.request": requestId }),
    },
    isError: false,
  });
}
