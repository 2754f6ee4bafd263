import { toId } from "#contracts/ids.ts";
import { requestHeaders, type SentParts, sentText } from "#server/deliveries/request-headers.ts";
import { signDelivery } from "#server/domain/signing.ts";
import { traceIdOf, traceparentOf } from "#server/domain/trace-context.ts";
import { newSpanId } from "#server/tracing/span-id.ts";
import type { Tracer } from "#server/tracing/tracer.ts";
import { attemptSpan } from "./attempt-span.ts";
import type { DatabaseClock } from "./database-clock.ts";
import type { Sender } from "./sender.ts";
import { noAnswer, type Try } from "./settlement.ts";
import type { Task } from "./types.ts";

export interface AttemptDeps {
  sender: Sender;
  /** Of Posthorn, for the user agent. */
  version: string;
  tracer: Tracer;
  /** Of the time of day that is signed; default: this machine's. */
  clock?: DatabaseClock | undefined;
  onInternalError(error: unknown, task: Task): void;
}

/** Signs and sends one delivery. Never rejects: our own failures are results too. */
export async function makeAttempt({ due, target, chunk }: Task, deps: AttemptDeps): Promise<Try> {
  const beganAt = performance.now();
  const { tracer, clock } = deps;
  const startedAt = new Date(clock?.now() ?? Date.now());
  const spanId = newSpanId();
  const traceId = traceIdOf(due.eventId);
  const isSampled = tracer.samples(traceId);
  const tried = { due, startedAt, url: target.url, retryPolicy: target.retryPolicy };
  try {
    const body = Buffer.from(due.body);
    const timestamp = Math.floor(startedAt.getTime() / 1000);
    const signatures = signDelivery({
      format: target.format,
      keys: target.keysAt(startedAt.getTime()),
      asymmetric: target.asymmetric,
      deliveryId: toId("delivery", due.id),
      timestamp,
      body,
    });
    const custom = Object.keys(target.headers);
    const parts: SentParts = {
      ...signatures,
      version: deps.version,
      timestamp,
      traceparent: traceparentOf(traceId, { spanId, isSampled }),
      ...(custom.length > 0 ? { custom } : {}),
    };
    const subject = { deliveryId: due.id, eventType: due.eventType, attempt: due.attempts + 1 };
    const result = await deps.sender.send({
      url: target.url,
      headers: requestHeaders(subject, parts, target.headers),
      body,
      timeoutMs: target.timeoutMs,
    });
    if (isSampled && tracer.isEnabled) tracer.record(attemptSpan(spanId, { due, startedAt, result }));
    return { ...tried, sent: sentText(parts), result };
  } catch (error) {
    deps.onInternalError(error, { due, target, chunk });
    return { ...tried, sent: null, result: noAnswer("internal", performance.now() - beganAt) };
  }
}

/** A try that had no answer when its worker ended; `startedAt` on the clock of `performance.now()`. */
export function abandoned({ due, target }: Task, startedAt: number): Try {
  const totalMs = performance.now() - startedAt;
  return {
    due,
    startedAt: new Date(Date.now() - totalMs),
    url: target.url,
    retryPolicy: target.retryPolicy,
    sent: null,
    result: noAnswer("worker_lost", totalMs),
  };
}
