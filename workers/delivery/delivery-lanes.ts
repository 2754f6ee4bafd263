import { waitMs } from "#server/domain/rate-limit.ts";
import type { RateLimiter } from "#server/limits/rate-limiter.ts";
import { QUEUES } from "#server/queue/queues.ts";
import type { LaneOf } from "./lane.ts";
import { Lanes } from "./lanes.ts";
import type { Task } from "./types.ts";

const MAX_IN_FLIGHT = 256;
export const MAX_SLOW_IN_FLIGHT = 1_024;
/** Of bodies, of quick requests; and as much again of slow ones. */
const MAX_BYTES_IN_FLIGHT = 32 * 1024 * 1024;
/** Under way to one host and port, whoever's the endpoints are that lead there. */
const MAX_IN_FLIGHT_PER_HOST = 100;
const SLOW_AFTER_MS = 1_000;
const STALLED_AFTER_MS = 300;
const CROWDED_AFTER_MS = 2_000;

export type RequestLimiter = Pick<RateLimiter, "take" | "level">;

/** The lanes of a worker's deliveries. */
export function deliveryLanes(limiter: RequestLimiter): Lanes<Task> {
  return new Lanes<Task>({
    kindOf: (task) => task.chunk.queue,
    bytesOf: (task) => Buffer.byteLength(task.due.body),
    // What a vanished worker held has waited longest. That of an ordered endpoint comes in its order.
    goesFirst: ({ chunk }) => chunk.retryCount > 0 && !chunk.run,
    slowKind: QUEUES.deliverSlow.name,
    maxQuick: MAX_IN_FLIGHT,
    maxSlow: MAX_SLOW_IN_FLIGHT,
    maxBytes: MAX_BYTES_IN_FLIGHT,
    maxPerHost: MAX_IN_FLIGHT_PER_HOST,
    takeFromRate: ({ key, perSecond }) => (perSecond === null ? 0 : takeRequest(limiter, key, perSecond)),
    slowAfterMs: SLOW_AFTER_MS,
    stalledAfterMs: STALLED_AFTER_MS,
    crowdedAfterMs: CROWDED_AFTER_MS,
  });
}

export const laneOf = ({ due, target, chunk }: Task): LaneOf => ({
  key: due.endpointId,
  cap: chunk.run ? 1 : target.maxInFlight,
  tenant: due.tenantId,
  host: target.host,
  perSecond: target.rateLimit,
});

/**
 * Takes one request from the rate of an endpoint, which all workers share; gives 0, or the milliseconds until there is one.
 * No more than a tenth of a second's worth may begin at once: a rate is to hold within any second.
 */
function takeRequest(limiter: RequestLimiter, endpointId: string, perSecond: number): number {
  const rate = { perSecond, burst: Math.max(1, Math.floor(perSecond / 10)) };
  const bucket = `delivery/${endpointId}`;
  if (limiter.take(bucket, 1, rate)) return 0;
  return Math.max(1, waitMs(limiter.level(bucket, rate), 1, rate));
}
