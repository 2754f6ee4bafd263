import { toId } from "#contracts/ids.ts";
import type { SettleRow } from "#db/queries/settle.ts";
import { traceIdOf } from "#server/domain/trace-context.ts";
import type { Logger } from "#server/log/logger.ts";

export type LogAttempts = (rows: readonly SettleRow[]) => void;

/**
 * Gives a function that logs tries once they are committed: each at debug, and what ends a delivery or an endpoint at
 * warn. Neither URLs nor bodies are logged: both may hold what is nobody else's business.
 */
export function logAttempts(log: Logger): LogAttempts {
  return (rows) => {
    const isDebug = log.isLevelEnabled("debug");
    for (const row of rows) {
      if (isDebug) log.debug(membersOf(row), "attempt");
      if (row.outcome === "disable") log.warn(membersOf(row), "endpoint is gone: disabled");
      if (row.status === "failed")
        log.warn({ ...membersOf(row), failure_class: row.failureClass }, textOf(row));
    }
  };
}

const textOf = ({ failureClass }: SettleRow) =>
  failureClass === "exhausted" ? "delivery failed: its retries are exhausted" : "delivery failed for good";

function membersOf(row: SettleRow) {
  return {
    delivery: toId("delivery", row.deliveryId),
    event: toId("event", row.eventId),
    endpoint: toId("endpoint", row.endpointId),
    tenant: toId("tenant", row.tenantId),
    trace_id: traceIdOf(row.eventId),
    attempt: row.number,
    trigger: row.trigger,
    outcome: row.outcome,
    error_code: row.errorCode,
    status: row.responseStatus,
    duration_ms: Math.round(row.durationMs),
    next_attempt_at: row.nextAttemptAt,
  };
}
