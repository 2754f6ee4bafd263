import { expect, it } from "vitest";
import { percent, perMinute } from "./tenant-stats.ts";

it("writes rates by the minute", () => {
  expect(perMinute(0, 60_000)).toBe("0");
  expect(perMinute(1, 3_600_000)).toBe("< 0.1");
  expect(perMinute(90, 3_600_000)).toBe("1.5");
  expect(perMinute(90_000, 3_600_000)).toBe("1,500");
});

it("rounds no share to all or nothing", () => {
  expect(percent(null)).toBe("–");
  expect(percent(1)).toBe("100 %");
  expect(percent(0)).toBe("0 %");
  expect(percent(0.99999)).toBe("99.99 %");
  expect(percent(0.00001)).toBe("0.01 %");
  expect(percent(0.5)).toBe("50 %");
});
