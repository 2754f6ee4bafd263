import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LATENCY_BOUNDS_MS } from "#contracts/endpoint-stats.ts";
import { latencyClass, noLatencies, quantile } from "./latency.ts";

/** Counts latencies by class. */
function count(latencies: readonly number[]): number[] {
  const counts = noLatencies();
  for (const ms of latencies) counts[latencyClass(ms)] = (counts[latencyClass(ms)] ?? 0) + 1;
  return counts;
}

describe("latencyClass", () => {
  it("puts a bound into the class that it ends", () => {
    expect([0, 0.4, 1, 1.1, 2, 10_000, 30_000, 30_001].map(latencyClass)).toEqual([
      0, 0, 0, 1, 1, 21, 24, 25,
    ]);
  });
});

describe("quantile", () => {
  it("of nothing is nothing", () => {
    expect(quantile(noLatencies(), 0.5)).toBeNull();
  });

  it("is interpolated within the class", () => {
    // Four between 50 and 75 ms.
    const counts = count([55, 60, 65, 70]);
    expect([0.25, 0.5, 0.75, 1].map((q) => quantile(counts, q))).toEqual([56.3, 62.5, 68.8, 75]);
  });

  it("is not moved by empty classes between", () => {
    const counts = count([...Array(99).fill(8), 4_000]);
    expect(quantile(counts, 0.5)).toBeLessThan(10);
    expect(quantile(counts, 0.99)).toBe(10);
    expect(quantile(counts, 1)).toBe(5_000);
  });

  it("of what is longer than every bound is the last bound", () => {
    expect(quantile(count([90_000]), 0.5)).toBe(LATENCY_BOUNDS_MS.at(-1));
  });

  it("lies in the class of the true one, and grows with its part", () => {
    const latency = fc.double({ min: 0, max: 30_000, noNaN: true });
    const part = fc.double({ min: 0.01, max: 1, noNaN: true });
    void fc.assert(
      fc.property(fc.array(latency, { minLength: 1 }), part, part, (latencies, p, q) => {
        const counts = count(latencies);
        const sorted = latencies.toSorted((a, b) => a - b);
        const exact = sorted[Math.ceil(q * sorted.length) - 1] ?? 0;
        const told = quantile(counts, q) ?? -1;
        const index = latencyClass(exact);
        expect(told).toBeGreaterThanOrEqual(LATENCY_BOUNDS_MS[index - 1] ?? 0);
        expect(told).toBeLessThanOrEqual(LATENCY_BOUNDS_MS[index] ?? 0);
        const [low, high] = [quantile(counts, Math.min(p, q)) ?? 0, quantile(counts, Math.max(p, q)) ?? 0];
        expect(low).toBeLessThanOrEqual(high);
      }),
    );
  });
});
