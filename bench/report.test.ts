import { describe, expect, it } from "vitest";
import { holds, percentile, type Row, ratioOf, table } from "./report.ts";

const rate: Row = {
  name: "drain",
  value: 700,
  unit: "/s",
  limit: { name: "bare", value: 1_000 },
  wanted: { atLeast: 0.7 },
};
const time: Row = { name: "page", value: 51.26, unit: "ms", wanted: { atMost: 50 } };

describe("a row", () => {
  it("is held to the ratio where it has a limit, and to its value where it has none", () => {
    expect([ratioOf(rate), holds(rate), holds({ ...rate, value: 699 })]).toEqual([0.7, true, false]);
    expect([ratioOf(time), holds(time), holds({ ...time, value: 50 })]).toEqual([undefined, false, true]);
    expect(holds({ name: "size", value: 1, unit: "B" })).toBeUndefined();
  });

  it("does not hold when it could not be measured", () => {
    expect(holds({ ...time, value: Number.NaN })).toBe(false);
  });

  it("is shown with its limit, what is wanted and whether it holds", () => {
    const [, first, second] = table([rate, time]).split("\n");
    expect(first).toBe("drain    700/s  bare, 1,000/s   0.70    ≥ 0.7          holds");
    expect(second).toBe("page   51.3 ms                        ≤ 50 ms  DOES NOT HOLD");
    expect(table([rate], true).split("\n").at(-1)).toBe(
      "| drain | 700/s | bare, 1,000/s | 0.70 | ≥ 0.7 | holds |",
    );
  });
});

it("takes the percentile that so much of the sample does not exceed", () => {
  const sample = Array.from({ length: 100 }, (_, n) => 100 - n);
  expect([0.5, 0.95, 0.99, 1].map((part) => percentile(sample, part))).toEqual([50, 95, 99, 100]);
  expect(percentile([7], 0.5)).toBe(7);
  expect(percentile([], 0.5)).toBeNaN();
});
