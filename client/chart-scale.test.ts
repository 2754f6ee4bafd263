import { expect, it } from "vitest";
import { linePath, roundUp } from "./chart-scale.ts";

it.each([
  [0, 1],
  [0.7, 1],
  [1, 1],
  [41, 50],
  [180, 200],
  [2_001, 5_000],
])("has room for %d up to %d", (value, max) => {
  expect(roundUp(value)).toBe(max);
});

it("draws no line over buckets without a value, and a dash for a value on its own", () => {
  const box = { width: 60, height: 10, max: 10 };

  expect(linePath([0, 10, null, 5, null, 20], box)).toBe("M5 10L15 0M31.67 5H38.33M51.67 0H58.33");
});
