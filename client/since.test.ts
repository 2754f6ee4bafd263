import { expect, it } from "vitest";
import { hoursBefore, readSince } from "./since.ts";

const NOW = Date.parse("2026-11-21T09:30:00.000Z");

it("goes back by hours", () => {
  expect(hoursBefore("24", NOW)).toBe("2026-11-20T09:30:00.000Z");
});

it("takes a moment in UTC that is neither to come nor too long ago", () => {
  expect(readSince("2026-11-21T09:00", NOW)).toEqual({ at: "2026-11-21T09:00:00.000Z" });
  expect(readSince("", NOW)).toHaveProperty("fault");
  expect(readSince("2026-11-21T09:31", NOW)).toEqual({ fault: "This lies in the future." });
  expect(readSince("2026-10-01T00:00", NOW)).toEqual({ fault: "This is more than 31 days ago." });
});
