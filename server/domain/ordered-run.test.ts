import { expect, it } from "vitest";
import { nextRunSize } from "./ordered-run.ts";

const size = (before: number, tookMs: number, hasFailed = false) =>
  nextRunSize({ size: before, tookMs, hasFailed });

it("lets runs grow while they are done within a second, up to the size of a chunk", () => {
  expect(size(1, 10)).toBe(2);
  expect(size(10, 1_000)).toBe(20);
  expect(size(40, 10)).toBe(50);
});

it("halves runs that last longer, down to a single delivery", () => {
  expect(size(50, 1_001)).toBe(25);
  expect(size(3, 30_000)).toBe(1);
  expect(size(1, 30_000)).toBe(1);
});

it("lets what has to be tried again go alone", () => {
  expect(size(50, 10, true)).toBe(1);
});
