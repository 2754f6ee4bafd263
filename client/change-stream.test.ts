import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { atMostEvery } from "./change-stream.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it("looks at once when asked after a pause, and once more for all that is asked meanwhile", () => {
  const work = vi.fn();
  const look = atMostEvery(1_000, work);
  look.ask();
  expect(work).toHaveBeenCalledTimes(1);
  for (let i = 0; i < 10; i++) look.ask();
  expect(work).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(999);
  expect(work).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(1);
  expect(work).toHaveBeenCalledTimes(2);
  vi.advanceTimersByTime(5_000);
  expect(work).toHaveBeenCalledTimes(2);
  look.ask();
  expect(work).toHaveBeenCalledTimes(3);
});

it("does nothing more once it is cancelled", () => {
  const work = vi.fn();
  const look = atMostEvery(1_000, work);
  look.ask();
  look.ask();
  look.cancel();
  vi.advanceTimersByTime(5_000);
  expect(work).toHaveBeenCalledTimes(1);
});
