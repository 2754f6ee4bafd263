import { describe, expect, it } from "vitest";
import { bucketRange, summarize } from "./endpoint-stats.ts";
import { latencyClass, noLatencies } from "./latency.ts";

const now = new Date("2026-11-21T09:30:10.000Z");
const iso = (ms: number) => new Date(ms).toISOString();

describe("bucketRange", () => {
  it("is of the last 24 hours unless it is asked for otherwise, the current hour included", () => {
    const range = bucketRange({ bucket: "hour" }, now);
    expect([iso(range.fromMs), iso(range.toMs), range.count]).toEqual([
      "2026-11-20T09:00:00.000Z",
      "2026-11-21T10:00:00.000Z",
      25,
    ]);
  });

  it("ends with the moment that was asked for when that is the end of a bucket", () => {
    const [from, to] = [new Date("2026-11-20T00:00:30Z"), new Date("2026-11-20T00:05:00Z")];
    const range = bucketRange({ from, to, bucket: "minute" }, now);
    expect([iso(range.fromMs), range.count]).toEqual(["2026-11-20T00:00:00.000Z", 5]);
    expect(bucketRange({ from, to, bucket: "day" }, now).count).toBe(1);
  });

  it("has no bucket when it does not end after it begins", () => {
    for (const to of [now, new Date(now.getTime() - 1)])
      expect(bucketRange({ from: now, to, bucket: "minute" }, now).count).toBe(0);
  });
});

describe("summarize", () => {
  const range = { fromMs: 0, toMs: 180_000, bucketMs: 60_000, count: 3 };
  const latencies = noLatencies();
  latencies[latencyClass(40)] = 3;

  it("tells every bucket, with nothing of what nobody tried", () => {
    const counted = new Map([[60_000, { attempts: 4, succeeded: 3, latencies }]]);
    const { totals, buckets } = summarize(range, counted);
    expect(buckets.map(({ start, attempts }) => [start, attempts])).toEqual([
      ["1970-01-01T00:00:00.000Z", 0],
      ["1970-01-01T00:01:00.000Z", 4],
      ["1970-01-01T00:02:00.000Z", 0],
    ]);
    expect(buckets[0]).toMatchObject({ success_rate: null, latency_p50_ms: null, failed: 0 });
    expect(buckets[1]).toMatchObject({ failed: 1, success_rate: 0.75, latency_p50_ms: 42.5 });
    expect(totals).toEqual({ ...buckets[1], start: undefined });
  });

  it("adds up counts before it looks for percentiles", () => {
    const slow = noLatencies();
    slow[latencyClass(900)] = 97;
    const counted = new Map([
      [0, { attempts: 3, succeeded: 3, latencies }],
      [60_000, { attempts: 97, succeeded: 0, latencies: slow }],
    ]);
    const { totals } = summarize(range, counted);
    expect(totals).toMatchObject({ attempts: 100, succeeded: 3, failed: 97, success_rate: 0.03 });
    expect(totals.latency_p50_ms).toBeGreaterThan(750);
  });
});
