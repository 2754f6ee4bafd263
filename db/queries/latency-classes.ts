import { LATENCY_BOUNDS_MS } from "#contracts/endpoint-stats.ts";

/** The places of the classes of latency in a stored array, from 1 on. */
export const CLASSES = Array.from({ length: LATENCY_BOUNDS_MS.length + 1 }, (_, index) => index + 1);

/** What rows of counts come to, as SQL. */
export const COUNTS_SUMMED = `sum(attempts)::int as attempts, sum(succeeded)::int as succeeded,
  array[${CLASSES.map((n) => `sum(latencies[${n}])::int`).join(", ")}] as latencies`;
