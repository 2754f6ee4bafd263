import { BURST_SECONDS, burstOf, type Level, type Rate, refillMs, waitMs } from "./rate-limit.ts";

/** A limit that a client can read of: its name, its rate, its level now. */
export interface Policy {
  name: string;
  rate: Rate;
}

/**
 * `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers-11 §3): what the bucket holds, in the time in which it fills.
 * Who takes no more than `q` in any `w` seconds is never refused, and `q/w` is the rate.
 */
export function policyField({ name, rate }: Policy): string {
  return `"${name}";q=${burstOf(rate)};w=${BURST_SECONDS}`;
}

/** `RateLimit` (§4): what can be taken now, and the seconds within which that is all. */
export function limitField({ name, rate }: Policy, level: Level): string {
  return `"${name}";r=${level.remaining};t=${effectiveWindow(level, rate)}`;
}

/** Seconds to wait before units are asked for again: at least 1, and not before the effective window ends (§6). */
export function retryAfter(level: Level, units: number, rate: Rate): number {
  return Math.max(Math.ceil(waitMs(level, units, rate) / 1000), effectiveWindow(level, rate));
}

/**
 * Seconds for which `r` has to do: as long as the rate takes to give that many, so that `r/t` never promises more than
 * the rate (§8.5). With nothing left it is the time until there is something.
 */
function effectiveWindow(level: Level, rate: Rate): number {
  const ms = level.remaining > 0 ? refillMs(level.remaining, rate) : waitMs(level, 1, rate);
  return Math.max(1, Math.ceil(ms / 1000));
}
