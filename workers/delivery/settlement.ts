import type { RetryPolicy } from "#contracts/retry-policy.ts";
import type { DueDelivery } from "#db/queries/list-due.ts";
import type { SettleRow } from "#db/queries/settle.ts";
import type { BreakerNews } from "#server/domain/circuit-breaker.ts";
import { classify } from "#server/domain/outcome.ts";
import { nextAttempt } from "#server/domain/retry-schedule.ts";
import type { SendResult } from "./sender.ts";

/** One try as it went. `sent` is what the log keeps of the request headers; null when nothing could be sent. */
export interface Try {
  due: DueDelivery;
  startedAt: Date;
  url: string;
  /** That of the endpoint; null is the usual schedule. */
  retryPolicy: RetryPolicy | null;
  sent: string | null;
  result: SendResult;
}

/** A try with what it makes of its delivery, and what the circuit breaker of the endpoint is to be told of it. */
export type Result = SettleRow & { breaker?: BreakerNews };

/** What a settlement draws on besides the try itself; everything that makes it repeatable. */
export interface Draw {
  now: Date;
  random: number;
  /** A fresh UUIDv7. */
  newId(): string;
  retryScale: number;
}

/** What a try makes of its delivery: delivered, tried again at an exact time, or failed for good. Pure. */
export function settlementOf(tried: Try, draw: Draw): SettleRow {
  const { due, result } = tried;
  const classification = classify(result.result);
  const counted = !(classification.outcome !== "ok" && classification.row.notCounted);
  const step = due.step + (counted ? 1 : 0);
  const next =
    classification.outcome === "ok"
      ? undefined
      : nextAttempt({
          failure: classification,
          step,
          random: draw.random,
          now: draw.now,
          retryAfter: result.retryAfter,
          scale: draw.retryScale,
          policy: tried.retryPolicy,
        });
  const again = next && "at" in next ? next.at : null;
  return {
    tenantId: due.tenantId,
    deliveryId: due.id,
    ctid: due.ctid,
    eventId: due.eventId,
    endpointId: due.endpointId,
    eventType: due.eventType,
    attemptId: draw.newId(),
    number: due.attempts + 1,
    trigger: due.trigger,
    startedAt: tried.startedAt,
    durationMs: result.timings.totalMs,
    outcome: classification.outcome,
    errorCode: classification.errorCode,
    url: tried.url,
    requestHeaders: tried.sent,
    responseStatus: result.status,
    responseHeaders: result.headers,
    responseBody: result.body,
    responseTruncated: result.bodyTruncated,
    dnsMs: result.timings.dnsMs,
    connectMs: result.timings.connectMs,
    tlsMs: result.timings.tlsMs,
    firstByteMs: result.timings.firstByteMs,
    remoteAddress: result.remoteAddress,
    status: next === undefined ? "delivered" : again ? "pending" : "failed",
    step,
    nextAttemptAt: again,
    jobId: again ? draw.newId() : due.jobId,
    failureClass: next && "terminal" in next ? next.terminal : null,
    waitsInQueue: false,
  };
}

/** The result of a try that ended without any answer, for a reason of ours. */
export function noAnswer(code: "internal" | "worker_lost", totalMs: number): SendResult {
  return {
    result: { kind: "error", code },
    status: null,
    headers: null,
    body: null,
    bodyTruncated: false,
    timings: { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: null, totalMs },
    remoteAddress: null,
    retryAfter: null,
  };
}
