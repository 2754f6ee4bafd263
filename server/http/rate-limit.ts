import type { Operation } from "#contracts/operation.ts";
import type { Rate } from "../domain/rate-limit.ts";
import { limitField, policyField, retryAfter } from "../domain/rate-limit-fields.ts";
import type { RateLimits } from "../limits/rate-limiter.ts";
import type { Caller } from "./authenticate.ts";
import { HttpProblem } from "./problem.ts";

/** What a call still has to count. */
export interface Meter {
  /** Counts as many units as the call turned out to have; one of them has been. 429 when there are too few. */
  takeMore(units: number): void;
}

interface Limit {
  bucket: string;
  name: "requests" | "events";
  rate: Rate;
}

const DETAILS = {
  requests: "Too many requests with this key.",
  events: "The tenant publishes too many events.",
};

/**
 * Counts a call against the limit that it has, and tells of that in its headers, whatever becomes of it; 429 when nothing
 * is left. `undefined` when it has none. One unit is taken before anything is read, so that a call that is refused later
 * has its price too.
 */
export function openMeter(
  limits: RateLimits,
  caller: Caller,
  operation: Operation,
  headers: Record<string, string>,
): Meter | undefined {
  const limit = limitOf(limits, caller, operation);
  if (!limit) return undefined;
  const { limiter } = limits;
  const { bucket, name, rate } = limit;
  const take = (units: number, held: number) => {
    const taken = units === 0 || limiter.take(bucket, units, rate, held);
    const level = limiter.level(bucket, rate);
    headers["ratelimit-policy"] = policyField(limit);
    headers.ratelimit = limitField(limit, level);
    if (taken) return;
    const seconds = retryAfter(level, units + held, rate);
    throw new HttpProblem("rate-limited", DETAILS[name], { "retry-after": String(seconds) });
  };
  take(1, 0);
  return { takeMore: (units) => take(units - 1, 1) };
}

/** Events count for the tenant; everything else for who calls: a key with those it replaces, or a member of staff. */
function limitOf(
  limits: RateLimits,
  { actor, tenantId, rates }: Caller,
  operation: Operation,
): Limit | undefined {
  const isPublish = operation.publishes !== undefined && tenantId !== undefined;
  const name = isPublish ? "events" : "requests";
  const perSecond = rates[name] ?? limits[name];
  const owner = isPublish ? tenantId : actor.principalId;
  return perSecond > 0 ? { bucket: `${name}:${owner}`, name, rate: { perSecond } } : undefined;
}
