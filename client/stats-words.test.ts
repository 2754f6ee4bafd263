import { expect, it } from "vitest";
import { bucketLabel, latencyInWords, percent, totalsInWords } from "./stats-words.ts";

const totals = {
  attempts: 1200,
  succeeded: 1199,
  failed: 1,
  success_rate: 1199 / 1200,
  latency_p50_ms: 40,
  latency_p95_ms: 180,
  latency_p99_ms: 1_500,
};
const nothing = {
  ...totals,
  attempts: 0,
  success_rate: null,
  latency_p50_ms: null,
  latency_p95_ms: null,
  latency_p99_ms: null,
};

it("never says 100 % while anything failed", () => {
  expect(percent(1)).toBe("100 %");
  expect(percent(0.99999)).toBe("99.9 %");
  expect(percent(0.5)).toBe("50 %");
});

it("says how attempts went and how long they took", () => {
  expect(totalsInWords({ totals }, "24 hours")).toBe(
    "1,200 attempts in the last 24 hours: 99.9 % succeeded, 1 failed.",
  );
  expect(latencyInWords({ totals })).toContain("95 % at most 180 ms");
  expect(totalsInWords({ totals: nothing }, "1 hour")).toBe("Nothing was sent in the last 1 hour.");
  expect(latencyInWords({ totals: nothing })).toBe("Nothing was answered in this time.");
});

it("names buckets in UTC, as exactly as they are long", () => {
  const at = "2026-11-21T09:30:00.000Z";

  expect(bucketLabel(at, "minute")).toBe("09:30");
  expect(bucketLabel(at, "hour")).toBe("21 Nov 09:30");
  expect(bucketLabel(at, "day")).toBe("21 Nov");
});
