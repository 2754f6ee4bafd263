import type { EndpointStats } from "#contracts/endpoint-stats.ts";
import { counted, milliseconds } from "./format.ts";

/** What a bucket is called, in UTC: `09:30` of a minute, `21 Nov 09:00` of an hour, `21 Nov` of a day. */
export function bucketLabel(start: string, bucket: EndpointStats["bucket"]): string {
  const at = new Date(start);
  const time = start.slice(11, 16);
  const day = `${at.getUTCDate()} ${at.toLocaleString("en", { month: "short", timeZone: "UTC" })}`;
  if (bucket === "minute") return time;
  return bucket === "hour" ? `${day} ${time}` : day;
}

/** `98.3 %`; never 100 % while anything failed. */
export function percent(rate: number): string {
  const rounded = Math.round(rate * 1000) / 10;
  return `${rate < 1 ? Math.min(99.9, rounded) : rounded} %`;
}

/** How attempts went, in a sentence. */
export function totalsInWords({ totals }: Pick<EndpointStats, "totals">, range: string): string {
  if (totals.success_rate === null) return `Nothing was sent in the last ${range}.`;
  return `${counted(totals.attempts, "attempt")} in the last ${range}: ${percent(totals.success_rate)} succeeded, ${totals.failed.toLocaleString("en")} failed.`;
}

/** How long answers took, in a sentence. */
export function latencyInWords({ totals }: Pick<EndpointStats, "totals">): string {
  const { latency_p50_ms: p50, latency_p95_ms: p95, latency_p99_ms: p99 } = totals;
  if (p50 === null || p95 === null || p99 === null) return "Nothing was answered in this time.";
  return `Half of the answers took at most ${milliseconds(p50)}, 95 % at most ${milliseconds(p95)}, 99 % at most ${milliseconds(p99)}.`;
}
