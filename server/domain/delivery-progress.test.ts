import { expect, it } from "vitest";
import { judgeProgress } from "./delivery-progress.ts";

it.each([
  [0, 1, "ok"],
  [60, 1, "ok"],
  [60.1, 1, "late"],
  [600, 9, "late"],
  [601, 9, "stalled"],
  [0, 0, "stalled"],
])("judges %d s with %d workers as %s", (oldestDueSeconds, workers, progress) =>
  expect(judgeProgress({ oldestDueSeconds, workers })).toBe(progress),
);
