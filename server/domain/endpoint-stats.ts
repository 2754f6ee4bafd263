import type { EndpointStats, StatsBucket } from "#contracts/endpoint-stats.ts";
import { noLatencies, quantile } from "./latency.ts";

const BUCKET_MS: Record<StatsBucket, number> = { minute: 60_000, hour: 3_600_000, day: 86_400_000 };
const DEFAULT_RANGE_MS = 24 * 3_600_000;

/** What was counted from one moment on. */
export interface Counts {
  attempts: number;
  succeeded: number;
  /** One counter for each class of latency. */
  latencies: readonly number[];
}

/** Whole buckets, in milliseconds since the epoch. */
export interface BucketRange {
  fromMs: number;
  /** Excluded. */
  toMs: number;
  bucketMs: number;
  count: number;
}

/** The buckets from that of `from` to that which ends with `to` or holds it; none when `to` is not after `from`. */
export function bucketRange(
  asked: { from?: Date | undefined; to?: Date | undefined; bucket: StatsBucket },
  now: Date,
): BucketRange {
  const bucketMs = BUCKET_MS[asked.bucket];
  const to = asked.to ?? now;
  const from = asked.from ?? new Date(to.getTime() - DEFAULT_RANGE_MS);
  const fromMs = Math.floor(from.getTime() / bucketMs) * bucketMs;
  const toMs = Math.ceil(to.getTime() / bucketMs) * bucketMs;
  const count = to > from ? (toMs - fromMs) / bucketMs : 0;
  return { fromMs, toMs, bucketMs, count };
}

/** Figures of every bucket of the range, empty ones included, and of all of them together. */
export function summarize(
  range: BucketRange,
  counted: ReadonlyMap<number, Counts>,
): Pick<EndpointStats, "totals" | "buckets"> {
  const starts = Array.from({ length: range.count }, (_, n) => range.fromMs + n * range.bucketMs);
  const buckets = starts.map((start) => ({
    start: new Date(start).toISOString(),
    ...figuresOf(counted.get(start) ?? NOTHING),
  }));
  return { totals: figuresOf([...counted.values()].reduce(sumOf, NOTHING)), buckets };
}

const NOTHING: Counts = { attempts: 0, succeeded: 0, latencies: noLatencies() };

function sumOf(a: Counts, b: Counts): Counts {
  return {
    attempts: a.attempts + b.attempts,
    succeeded: a.succeeded + b.succeeded,
    latencies: a.latencies.map((count, index) => count + (b.latencies[index] ?? 0)),
  };
}

function figuresOf({ attempts, succeeded, latencies }: Counts): EndpointStats["totals"] {
  return {
    attempts,
    succeeded,
    failed: attempts - succeeded,
    success_rate: attempts === 0 ? null : Math.round((succeeded / attempts) * 10_000) / 10_000,
    latency_p50_ms: quantile(latencies, 0.5),
    latency_p95_ms: quantile(latencies, 0.95),
    latency_p99_ms: quantile(latencies, 0.99),
  };
}
