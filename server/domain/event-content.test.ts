import { describe, expect, it } from "vitest";
import { contentHash, isRecentId } from "./event-content.ts";

const at = (timeMs: number) => {
  const hex = timeMs.toString(16).padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
};
const now = new Date("2026-11-21T12:00:00Z");
const DAY_MS = 86_400_000;

describe("an id made by a client", () => {
  it.each([
    [0, true],
    [-DAY_MS, true],
    [DAY_MS, true],
    [-DAY_MS - 1, false],
    [DAY_MS + 1, false],
  ])("whose time is %i ms from now is recent: %s", (offsetMs, expected) => {
    expect(isRecentId(at(now.getTime() + offsetMs), now)).toBe(expected);
  });
});

describe("the content of an event", () => {
  it("is the same in another order and spacing", () => {
    expect(contentHash("a", '{"x":1,"y":2}')).toEqual(contentHash("a", '{ "y": 2, "x": 1 }'));
  });

  it("differs by type and by digits that a double would lose", () => {
    const data = '{"n":9007199254740992}';
    expect(contentHash("a", data)).not.toEqual(contentHash("b", data));
    expect(contentHash("a", data)).not.toEqual(contentHash("a", '{"n":9007199254740993}'));
  });
});
