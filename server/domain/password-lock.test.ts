import { describe, expect, it } from "vitest";
import { lockedForMs } from "./password-lock.ts";

const lastAt = new Date("2026-11-21T12:00:00Z");
const later = (ms: number) => new Date(lastAt.getTime() + ms);

describe("lockedForMs", () => {
  it("leaves the first nine wrong passwords without consequence", () => {
    expect(lockedForMs({ count: 9, lastAt }, lastAt)).toBe(0);
  });

  it.each([
    [10, 60_000],
    [11, 120_000],
    [12, 240_000],
    [16, 3_600_000],
    [5000, 3_600_000],
  ])("after %i waits %i ms", (count, waitMs) => {
    expect(lockedForMs({ count, lastAt }, lastAt)).toBe(waitMs);
    expect(lockedForMs({ count, lastAt }, later(waitMs - 1))).toBe(1);
    expect(lockedForMs({ count, lastAt }, later(waitMs))).toBe(0);
  });

  it("holds nothing against anybody after a day", () => {
    expect(lockedForMs({ count: 5000, lastAt }, later(24 * 3_600_000))).toBe(0);
  });
});
