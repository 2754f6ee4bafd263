import { describe, expect, it } from "vitest";
import type { Replay } from "#contracts/replays.ts";
import { creatorWords, kindOf, progressOf, selectionWords } from "./replays.ts";

const [from, to] = ["2026-11-20T00:00:00.000Z", "2026-11-21T08:30:59.000Z"];

describe("what a replay is of, in words", () => {
  it("says which deliveries, of what and from when", () => {
    const words = (statuses: ("failed" | "cancelled" | "delivered")[], event_types?: string[]) =>
      selectionWords({
        kind: "replay",
        selection: { from, to, statuses, ...(event_types && { event_types }) },
      });
    const span = "created from 2026-11-20 00:00 UTC until 2026-11-21 08:30 UTC";
    expect(words(["failed"])).toBe(`Deliveries that failed, ${span}.`);
    expect(words(["failed", "cancelled", "delivered"], ["a", "b*"])).toBe(
      `Deliveries of a and b* that failed, were cancelled or were delivered, ${span}.`,
    );
    expect(words(["failed"], ["*"])).toBe(`Deliveries that failed, ${span}.`);
  });

  it("tells a recovery from one that includes what is missing", () => {
    const plain = { kind: "recovery", selection: { since: from, include_missing: false } } as const;
    const all = { kind: "recovery", selection: { since: from, include_missing: true } } as const;
    expect([kindOf(plain), kindOf(all)]).toEqual(["Recovery", "Recovery with missing"]);
    expect(selectionWords(plain)).toBe("What failed or was cancelled since 2026-11-20 00:00 UTC.");
    expect(selectionWords(all)).toContain("and events since then that never made a delivery");
  });
});

it("says who made a replay, as far as it is told", () => {
  const words = (created_by: Replay["created_by"]) => creatorWords({ created_by });
  expect(words({ kind: "staff", id: "kim@example.com", name: null })).toBe("kim@example.com");
  expect(words({ kind: "staff", id: null, name: null })).toBe("staff");
  expect(words({ kind: "api_key", id: "key_1", name: "nightly" })).toBe("API key nightly");
  expect(words({ kind: "api_key", id: "key_1", name: null })).toBe("API key key_1");
  expect(words({ kind: "portal_link", id: "ptl_1", name: "Kim of Acme" })).toBe("portal link Kim of Acme");
  expect(words(null)).toBe("not known");
});

it("measures how far a replay is, nothing at all included", () => {
  const replay = (total: number, succeeded: number, failed: number) =>
    progressOf({ total, succeeded, failed, done: succeeded + failed } as Replay);
  expect(replay(1200, 300, 60)).toEqual({
    words: "360 of 1,200 deliveries",
    open: 840,
    shares: { delivered: 25, failed: 5 },
  });
  expect(replay(0, 0, 0)).toMatchObject({ words: "0 of 0 deliveries", open: 0 });
  expect(replay(1, 2, 0).shares.delivered).toBe(100);
});
