import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { parseAsStringLiteral } from "nuqs";
import { listDeliveries } from "#contracts/deliveries.ts";
import { getStats, type TenantStats } from "#contracts/tenant-stats.ts";
import { call } from "./api.ts";

const HOUR_MS = 3_600_000;

/** What the overview looks back on; the names are those of the list's time windows. */
export const RANGES = {
  "1h": { label: "1 h", long: "the last hour", ms: HOUR_MS, bucket: "minute", bucketMs: 60_000 },
  "24h": { label: "24 h", long: "the last 24 hours", ms: 24 * HOUR_MS, bucket: "hour", bucketMs: HOUR_MS },
  "7d": { label: "7 d", long: "the last 7 days", ms: 168 * HOUR_MS, bucket: "hour", bucketMs: HOUR_MS },
} as const;
export type Range = keyof typeof RANGES;
export const RANGE_NAMES = Object.keys(RANGES) as Range[];
export const rangeParser = parseAsStringLiteral(RANGE_NAMES).withDefault("1h");

/** The figures of all endpoints over a range that ends now. */
export const statsQuery = (tenantId: string, range: Range) =>
  queryOptions({
    queryKey: ["stats", tenantId, range],
    queryFn: ({ signal }) => {
      const { ms, bucket } = RANGES[range];
      // The bucket that holds `from` is the first: one later, so that a range of an hour has sixty minutes.
      const from = new Date(Date.now() - ms + RANGES[range].bucketMs).toISOString();
      return call(getStats, { tenantId, query: { from, bucket }, signal });
    },
    placeholderData: keepPreviousData,
  });

const RECENT = "8";

/** The deliveries that failed for good, those made last first. */
export const recentFailuresQuery = (tenantId: string) =>
  queryOptions({
    queryKey: ["failures", tenantId, "recent"],
    queryFn: ({ signal }) =>
      call(listDeliveries, { tenantId, query: { status: "failed", limit: RECENT }, signal }),
  });

/** One bar of a chart over time. */
export interface Bar {
  start: string;
  succeeded: number;
  failed: number;
}

export const barsOf = (stats: TenantStats): Bar[] =>
  stats.buckets.map(({ start, succeeded, failed }) => ({ start, succeeded, failed }));

/** How many in a minute, over the whole range; one decimal below ten. */
export function perMinute(count: number, rangeMs: number): string {
  const rate = count / (rangeMs / 60_000);
  if (rate === 0) return "0";
  if (rate < 0.1) return "< 0.1";
  return rate < 10 ? rate.toFixed(1) : Math.round(rate).toLocaleString("en");
}

/** A share as a percentage that never rounds to all or nothing: 99.99 % is not 100 %. */
export function percent(rate: number | null): string {
  if (rate === null) return "–";
  if (rate === 1 || rate === 0) return `${rate * 100} %`;
  const text = Math.min(99.99, Math.max(0.01, rate * 100)).toFixed(2);
  return `${text.replace(/\.?0+$/, "")} %`;
}
