import {
  type BreakerState,
  type BreakerVerdict,
  FAILING_ATTEMPTS,
  FAILING_PERCENT,
  FAILING_WITHIN_SECONDS,
  FIRST_OPEN_SECONDS,
  FLAPPING_WITHIN_SECONDS,
  LONGEST_OPEN_SECONDS,
  OPEN_AFTER_FAILURES,
} from "#contracts/circuit-breaker.ts";

const MAX_OPENS = 1_000;
/** Longer than that nobody is taken at his word. */
const LONGEST_ASKED_MS = 3_600_000;

/** What one worker has lately seen of an endpoint that fails: attempts since `since`, and the failures at their end. */
export interface Strikes {
  readonly since: number;
  readonly attempts: number;
  readonly failures: number;
  readonly inRow: number;
  /** When the first of these had failed. */
  readonly rowSince: number;
}

/** When an attempt began and ended, in milliseconds. */
export interface Span {
  beganAt: number;
  endedAt: number;
}

/**
 * Counts an attempt. Gives `undefined` while there is nothing to remember: endpoints that
 * do well have no strikes.
 */
export function countStrike(
  before: Strikes | undefined,
  verdict: BreakerVerdict,
  { endedAt }: Pick<Span, "endedAt">,
): Strikes | undefined {
  if (verdict === "none" || verdict === "throttles") return before;
  const failed = verdict === "fails" ? 1 : 0;
  const inRow = failed === 1 ? (before?.inRow ?? 0) + 1 : 0;
  const rowSince = inRow > 1 && before ? before.rowSince : endedAt;
  const isRecent = before !== undefined && endedAt - before.since < FAILING_WITHIN_SECONDS * 1000;
  if (!isRecent)
    return failed === 1 ? { since: endedAt, attempts: 1, failures: 1, inRow, rowSince } : undefined;
  const { since, attempts, failures } = before;
  return { since, attempts: attempts + 1, failures: failures + failed, inRow, rowSince };
}

/**
 * Whether an endpoint has failed so often, up to an attempt that began at `beganAt` and failed, that nothing more is to be
 * sent to it for a while. What was under way at the same time may have failed for one and the same hiccup: not before one
 * has failed that began after others had.
 */
export const isTooMany = (
  { since, attempts, failures, inRow, rowSince }: Strikes,
  { beganAt }: Pick<Span, "beganAt">,
): boolean =>
  (inRow >= OPEN_AFTER_FAILURES && beganAt >= rowSince) ||
  (attempts >= FAILING_ATTEMPTS && failures * 100 >= attempts * FAILING_PERCENT && beganAt >= since);

/** The circuit breaker of an endpoint. */
export interface Breaker {
  readonly state: BreakerState;
  /** Open: when it may be tried; half open: until when the probe is waited for; closed: since when, if it ever was open. */
  readonly until: Date | null;
  /** How often in a row it was opened. */
  readonly opens: number;
}

/** Something that bears on a breaker. */
export type BreakerNews =
  /** A worker has seen it fail too often. */
  | { kind: "tripped"; askedMs: number }
  /** Somebody answers there. */
  | { kind: "answered" }
  /** The probe failed. */
  | { kind: "probe_failed"; askedMs: number }
  /** The probe has told neither that the endpoint is back nor that it is not. */
  | { kind: "probe_undecided"; askedMs: number };

/** What the breaker's decisions draw on. `random` is uniform in [0, 1), `scale` is RETRY_SCALE. */
export interface BreakerDraw {
  now: Date;
  random: number;
  scale: number;
}

/**
 * How long a breaker stays open that was opened for the `opens`-th time in a row: each time twice as long, a fifth more or
 * less; not shorter than the receiver has asked for.
 */
export function openForMs(
  opens: number,
  askedMs: number,
  { random, scale }: Pick<BreakerDraw, "random" | "scale">,
): number {
  const doubled = FIRST_OPEN_SECONDS * 2 ** Math.min(16, Math.max(0, opens - 1));
  const pauseMs = Math.min(LONGEST_OPEN_SECONDS, doubled) * 1000 * (0.8 + 0.4 * random);
  return Math.round(Math.max(pauseMs, Math.min(askedMs, LONGEST_ASKED_MS)) * scale);
}

/** What news make of a breaker; `undefined`: it stays as it is. */
export function nextBreaker(breaker: Breaker, news: BreakerNews, draw: BreakerDraw): Breaker | undefined {
  const open = (opens: number, askedMs: number): Breaker => ({
    state: "open",
    until: new Date(draw.now.getTime() + openForMs(opens, askedMs, draw)),
    opens: Math.min(MAX_OPENS, opens),
  });
  switch (news.kind) {
    case "answered":
      return breaker.state === "closed" ? undefined : { ...breaker, state: "closed", until: draw.now };
    case "tripped":
      // Many see it fail at the same time: the first one opens it, and what was under way then says nothing new.
      return breaker.state === "closed" ? open(opensAfter(breaker, draw), news.askedMs) : undefined;
    case "probe_failed":
      return breaker.state === "closed" ? undefined : open(breaker.opens + 1, news.askedMs);
    case "probe_undecided":
      return breaker.state === "closed" ? undefined : open(breaker.opens, news.askedMs);
  }
}

function opensAfter({ until, opens }: Breaker, { now, scale }: BreakerDraw): number {
  const isFlapping =
    until !== null && now.getTime() - until.getTime() < FLAPPING_WITHIN_SECONDS * 1000 * scale;
  return isFlapping ? opens + 1 : 1;
}
