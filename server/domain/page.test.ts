import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cutPage, type PageRequest } from "./page.ts";

const list = (length: number) => Array.from({ length }, (_, at) => at);

/** Reads as a query does: up to one row more than the page, away from the position. */
function read(all: readonly number[], { limit, from, backward }: PageRequest): number[] {
  const at = from === null ? -1 : Number(from[0]);
  return backward
    ? all
        .filter((item) => item < at)
        .reverse()
        .slice(0, limit + 1)
    : all.filter((item) => item > at).slice(0, limit + 1);
}

describe("cutPage", () => {
  it("walks through every item once, forward and back again, whatever the page size", () => {
    fc.assert(
      fc.property(fc.nat(40), fc.integer({ min: 1, max: 12 }), (length, limit) => {
        const all = list(length);
        const forward: number[][] = [];
        let request: PageRequest = { limit, from: null, backward: false };
        for (;;) {
          const page = cutPage(read(all, request), request);
          forward.push(page.items);
          expect(page.hasMore).toBe(page.next !== undefined);
          if (page.next === undefined) break;
          request = { limit, from: [String(page.next)], backward: false };
        }
        expect(forward.flat()).toEqual(all);

        const last = forward.at(-1) ?? [];
        const back: number[][] = [last];
        let first = last[0];
        while (first !== undefined && forward.length > 1) {
          request = { limit, from: [String(first)], backward: true };
          const page = cutPage(read(all, request), request);
          back.unshift(page.items);
          first = page.prev;
        }
        expect(back.flat()).toEqual(all);
      }),
    );
  });

  it("has no way back on a first page, and one on every page that a cursor led to", () => {
    const first = cutPage([1, 2, 3], { limit: 2, from: null, backward: false });
    expect(first).toEqual({ items: [1, 2], hasMore: true, next: 2, prev: undefined });
    const second = cutPage([3], { limit: 2, from: ["2"], backward: false });
    expect(second).toEqual({ items: [3], hasMore: false, next: undefined, prev: 3 });
  });
});
