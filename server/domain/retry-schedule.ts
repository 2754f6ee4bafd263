import type { FailureClass } from "#contracts/deliveries.ts";
import type { RetryPolicy } from "#contracts/retry-policy.ts";
import type { Failure } from "./outcome.ts";

const FIRST_DELAY_MS = 5_000;
const LONGEST_DELAY_MS = 24 * 60 * 60 * 1000;
const SHORT_SCHEDULE_ATTEMPTS = 6;

/** Tries in a full schedule: the first one and nine repeats over about 75 hours. */
export const MAX_ATTEMPTS = 10;

/** Delay after the n-th try (1-based) without jitter: `min(24 h, 5 s · 5^(n−1))`. */
export function retryDelayMs(n: number): number {
  return Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 5 ** (Math.max(1, n) - 1));
}

/** How many tries a full schedule has. */
function attemptsOf(policy: RetryPolicy | null | undefined): number {
  const schedule = policy?.schedule_seconds;
  return policy?.max_attempts ?? (schedule ? schedule.length + 1 : MAX_ATTEMPTS);
}

function pauseMs(n: number, policy: RetryPolicy | null | undefined): number {
  const schedule = policy?.schedule_seconds;
  const seconds = schedule?.[Math.min(n, schedule.length) - 1];
  return seconds === undefined ? retryDelayMs(n) : seconds * 1000;
}

export type NextAttempt = { at: Date } | { terminal: FailureClass };

/**
 * When a delivery is tried again after a failure, or how it ends.
 *
 * `step` is the number of scheduled tries made so far, the failed one included, those that were `notCounted` left
 * out; a replay starts again at 1. `random` is uniform in [0, 1). `retryAfter` is the header as received. `scale`
 * (RETRY_SCALE) multiplies every wait. `policy` is that of the endpoint; what it leaves open is as usual.
 */
export function nextAttempt(input: {
  failure: Failure;
  step: number;
  random: number;
  now: Date;
  retryAfter?: string | null;
  scale: number;
  policy?: RetryPolicy | null;
}): NextAttempt {
  const { failure, now, scale } = input;
  const { row } = failure;
  if (row.failureClass) return { terminal: row.failureClass };
  if (failure.outcome === "lost") return { at: now };

  const attempts = attemptsOf(input.policy);
  const allowed = failure.outcome === "retry_short" ? Math.min(attempts, SHORT_SCHEDULE_ATTEMPTS) : attempts;
  if (!row.notCounted && input.step >= allowed) return { terminal: "exhausted" };

  const backoffMs = pauseMs(row.notCounted ? 1 : input.step, input.policy) * (0.8 + 0.4 * input.random);
  const askedMs = row.honoursRetryAfter ? (parseRetryAfter(input.retryAfter, now) ?? 0) : 0;
  const waitMs = Math.max(backoffMs, row.minDelayMs ?? 0, askedMs);
  return { at: new Date(now.getTime() + Math.round(waitMs * scale)) };
}

const HTTP_DATE =
  /^(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT|(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4})$/;

/**
 * Retry-After (RFC 9110 §10.2.3) in milliseconds from `now`: delay-seconds or one of the three forms of HTTP-date.
 * Null when absent, malformed, negative or past; at most 24 h.
 */
export function parseRetryAfter(value: string | null | undefined, now: Date): number | null {
  const text = value?.trim() ?? "";
  if (/^\d+$/.test(text)) return Math.min(Number(text) * 1000, LONGEST_DELAY_MS);
  if (!HTTP_DATE.test(text)) return null;
  const date = text.endsWith("GMT") ? text : `${text} GMT`;
  const waitMs = Date.parse(date) - now.getTime();
  return waitMs > 0 ? Math.min(waitMs, LONGEST_DELAY_MS) : null;
}
