import { toId } from "#contracts/ids.ts";
import type { Ctx } from "../context.ts";
import { traceIdOf } from "../domain/trace-context.ts";
import { AppError } from "../errors.ts";
import type { PublishResult } from "../metrics/publish-metrics.ts";
import type { Published } from "./publish-events.ts";
import { recordPublished } from "./record-published.ts";

/**
 * Tells what a call that publishes has done, once it is committed: to the figures, to the log at debug, and to the
 * tracer. Each event begins the trace of its own id; that of the caller, when it named one, is linked to it.
 */
export function tellPublished(
  ctx: Ctx,
  outcomes: readonly (Published | AppError)[],
  call: { beganAt: number },
): void {
  ctx.publishTally.observe(outcomes.map(resultOf));
  const isDebug = ctx.log.isLevelEnabled("debug");
  if (!isDebug && !ctx.tracer.isEnabled) return;
  const durationMs = performance.now() - call.beganAt;
  for (const outcome of outcomes) {
    if (outcome instanceof AppError || !outcome.created) continue;
    if (isDebug) logCreated(ctx, outcome.id);
    recordPublished(ctx, ctx.tenantId, { eventId: outcome.id, durationMs });
  }
}

function resultOf(outcome: Published | AppError): PublishResult {
  if (outcome instanceof AppError) return "refused";
  return outcome.created ? "created" : "repeated";
}

function logCreated({ log, requestId, tenantId, caller }: Ctx, eventId: string): void {
  const ids = {
    event: toId("event", eventId),
    tenant: toId("tenant", tenantId),
    trace_id: traceIdOf(eventId),
  };
  log.debug({ requestId, ...ids, ...(caller ? { caller_trace_id: caller.traceId } : {}) }, "published");
}
