import { LATENCY_BOUNDS_MS } from "#contracts/endpoint-stats.ts";

/** The class of a latency: the index of its counter. */
export function latencyClass(ms: number): number {
  const index = LATENCY_BOUNDS_MS.findIndex((bound) => ms <= bound);
  return index === -1 ? LATENCY_BOUNDS_MS.length : index;
}

/** A counter for each class, all of them 0. */
export const noLatencies = (): number[] => Array.from({ length: LATENCY_BOUNDS_MS.length + 1 }, () => 0);

/**
 * The latency that the part `q` (0 < q ≤ 1) of what was counted did not exceed, in milliseconds; `null` of nothing. Within
 * a class latencies are taken as evenly spread; what is longer than every bound is told as the last one.
 */
export function quantile(counts: readonly number[], q: number): number | null {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  const rank = q * total;
  let before = 0;
  for (const [index, count] of counts.entries()) {
    if (count > 0 && before + count >= rank) {
      const lower = LATENCY_BOUNDS_MS[index - 1] ?? 0;
      const upper = LATENCY_BOUNDS_MS[index] ?? lower;
      return Math.round((lower + ((upper - lower) * (rank - before)) / count) * 10) / 10;
    }
    before += count;
  }
  return LATENCY_BOUNDS_MS.at(-1) ?? null;
}
