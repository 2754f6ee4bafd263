import { randomBytes, randomInt } from "node:crypto";
import { toId } from "#contracts/ids.ts";
import { requestHeaders, type SentParts } from "#server/deliveries/request-headers.ts";
import { signDelivery } from "#server/domain/signing.ts";
import { traceparentOf } from "#server/domain/trace-context.ts";
import type { Tracer } from "#server/tracing/tracer.ts";
import { attemptSpan } from "./attempt-span.ts";
import type { Sender } from "./sender.ts";
import { noAnswer, type Try } from "./settlement.ts";
import type { Task } from "./types.ts";

export interface AttemptDeps {
  sender: Sender;
  /** Of Posthorn, for the user agent. */
  version: string;
  tracer: Tracer;
  onInternalError(error: unknown, task: Task): void;
}

/** Signs and sends one delivery. Never rejects: our own failures are results too. */
export async function makeAttempt({ due, target, chunk }: Task, deps: AttemptDeps): Promise<Try> {
  const startedAt = new Date();
  const spanId = newSpanId();
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
      traceparent: traceparentOf(due.eventId, spanId),
      ...(custom.length > 0 ? { custom } : {}),
    };
    const subject = { deliveryId: due.id, eventType: due.eventType, attempt: due.attempts + 1 };
    const result = await deps.sender.send({
      url: target.url,
      headers: requestHeaders(subject, parts, target.headers),
      body,
      timeoutMs: target.timeoutMs,
    });
    if (deps.tracer.isEnabled) deps.tracer.record(attemptSpan(spanId, { due, startedAt, result }));
    return { ...tried, sent: JSON.stringify(parts), result };
  } catch (error) {
    deps.onInternalError(error, { due, target, chunk });
    return { ...tried, sent: null, result: noAnswer("internal", Date.now() - startedAt.getTime()) };
  }
}

/** A span for each try. It has to be new, not hard to guess: the process draws the first half, and counts in the second. */
const newSpanId = () => {
  spans = (spans + 1) % 0x1_0000_0000;
  return PROCESS + spans.toString(16).padStart(8, "0");
};

const PROCESS = randomBytes(4).toString("hex");
let spans = randomInt(0x1_0000_0000);
