import { parseAsStringLiteral } from "nuqs";
import type { StatsBucket } from "#contracts/endpoint-stats.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** The ranges of an endpoint's charts, each with the buckets it is drawn in. */
export const STATS_RANGES = {
  "1h": { label: "1 hour", ms: HOUR_MS, bucket: "minute" },
  "24h": { label: "24 hours", ms: 24 * HOUR_MS, bucket: "hour" },
  "7d": { label: "7 days", ms: 7 * 24 * HOUR_MS, bucket: "hour" },
  "30d": { label: "30 days", ms: 30 * 24 * HOUR_MS, bucket: "day" },
} as const satisfies Record<string, { label: string; ms: number; bucket: StatsBucket }>;
export type StatsRange = keyof typeof STATS_RANGES;
export const STATS_RANGE_NAMES = Object.keys(STATS_RANGES) as StatsRange[];

/** The range as the address holds it. */
export const rangeParser = parseAsStringLiteral(STATS_RANGE_NAMES).withDefault("24h");

/** What to ask the API for, as of `nowMs`. */
export function statsQueryOf(range: StatsRange, nowMs: number) {
  const { ms, bucket } = STATS_RANGES[range];
  return { from: new Date(nowMs - ms).toISOString(), to: new Date(nowMs).toISOString(), bucket };
}
