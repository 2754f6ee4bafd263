// A token bucket, kept as one number: the moment from which it is full. That is the generic cell rate algorithm: taking
// moves the moment on by the time that the units need to come back, and time itself does the refilling.

/** How many seconds of its rate a bucket holds. */
export const BURST_SECONDS = 2;

/** A limit: so many units per second in the long run, and `burst` at once; twice as many when it is absent. */
export interface Rate {
  perSecond: number;
  burst?: number;
}

/** What a bucket gives at one moment. */
export interface Level {
  /** Whole units that can be taken now. */
  remaining: number;
  /** Milliseconds until the bucket is full; 0 when it is. */
  fullInMs: number;
}

/** How many units can be taken at once from a full bucket. */
export const burstOf = ({ perSecond, burst }: Rate): number => burst ?? perSecond * BURST_SECONDS;

/** Milliseconds in which so many units come back. */
export const refillMs = (units: number, { perSecond }: Rate): number => (units * 1000) / perSecond;

// Sums of fractions of milliseconds since 1970 are exact to a quarter of a microsecond; no unit takes less than ten.
const ROUNDING_UNITS = 1e-3;

/** The level of a bucket that is full from `fullAtMs` on (0: it was never used). */
export function levelOf(fullAtMs: number, rate: Rate, nowMs: number): Level {
  const fullInMs = Math.max(0, fullAtMs - nowMs);
  const left = burstOf(rate) - (fullInMs * rate.perSecond) / 1000;
  return { remaining: Math.max(0, Math.floor(left + ROUNDING_UNITS)), fullInMs };
}

/** When the bucket is full after units were taken, whether or not it held that many. */
export function afterTaking(fullAtMs: number, units: number, rate: Rate, nowMs: number): number {
  return Math.max(fullAtMs, nowMs) + refillMs(units, rate);
}

/**
 * Whether units can be taken: as many as there are, and from a full bucket any number, because who wants more than a
 * bucket holds would otherwise wait for ever; the debt is waited off by those who come next. `held` units that the same
 * caller has just taken count as there.
 */
export function canTake(level: Level, units: number, rate: Rate, held = 0): boolean {
  return units <= level.remaining || level.remaining + held >= burstOf(rate);
}

/** Milliseconds until `canTake` will hold if nobody else takes anything. */
export function waitMs(level: Level, units: number, rate: Rate): number {
  const missing = Math.min(units, burstOf(rate));
  return Math.max(0, level.fullInMs - refillMs(burstOf(rate) - missing, rate));
}
