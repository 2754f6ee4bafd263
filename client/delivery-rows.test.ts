import { describe, expect, it } from "vitest";
import type { Delivery } from "#contracts/deliveries.ts";
import { countNew, dueRows, type Pages, patchPages, rowsOf } from "./delivery-rows.ts";
import { makeDelivery, testId } from "./testing/make.ts";

const row = (n: number, parts: Partial<Delivery> = {}) =>
  makeDelivery({ id: testId("delivery", n), created_at: `2026-11-21T09:00:0${n}.000Z`, ...parts });
const page = (items: Delivery[]) => ({ items, next_cursor: null, prev_cursor: null, has_more: false });
const pages = (...lists: Delivery[][]): Pages => ({
  pages: lists.map(page),
  pageParams: lists.map(() => undefined),
});

describe("patchPages", () => {
  it("replaces a changed row where it stands and leaves every other object alone", () => {
    const old = pages([row(4), row(3, { status: "pending" })], [row(2), row(1)]);

    const patched = patchPages(old, [row(3, { status: "delivered" })]);

    expect(rowsOf(patched).map((each) => [each.id, each.status])).toEqual([
      [testId("delivery", 4), "delivered"],
      [testId("delivery", 3), "delivered"],
      [testId("delivery", 2), "delivered"],
      [testId("delivery", 1), "delivered"],
    ]);
    expect(patched.pages[0]?.items[0]).toBe(old.pages[0]?.items[0]);
    expect(patched.pages[1]).toBe(old.pages[1]);
  });

  it("gives the very same pages when nothing changed", () => {
    const old = pages([row(2), row(1)]);

    expect(patchPages(old, [row(2), row(9)])).toBe(old);
  });
});

describe("countNew", () => {
  it("counts what has come above the list", () => {
    expect(countNew([row(2), row(1)], [row(4), row(3), row(2)])).toBe(2);
  });

  it("does not take a row for new that slid into the newest page from below", () => {
    expect(countNew([row(4), row(3)], [row(4), row(3), row(2)])).toBe(0);
  });

  it("counts everything for an empty list", () => {
    expect(countNew([], [row(2), row(1)])).toBe(2);
  });
});

describe("dueRows", () => {
  const nowMs = Date.parse("2026-11-21T10:00:00.000Z");
  const at = { nowMs, withinMs: 2_000, max: 2 };
  const pending = (n: number, next: string) => row(n, { status: "pending", next_attempt_at: next });

  it("asks after what is in flight or due before the next look, and after nothing else", () => {
    const rows = [
      row(5, { status: "in_flight" }),
      pending(4, "2026-11-21T10:00:01.000Z"),
      pending(3, "2026-11-21T14:00:00.000Z"),
      row(2, { status: "failed" }),
    ];

    expect(dueRows(rows, [], at).map((each) => each.id)).toEqual([
      testId("delivery", 5),
      testId("delivery", 4),
    ]);
  });

  it("leaves out what the newest page shows anyway", () => {
    const inFlight = row(5, { status: "in_flight" });

    expect(dueRows([inFlight], [inFlight], at)).toEqual([]);
  });

  it("asks after no more than it is allowed to", () => {
    const rows = [1, 2, 3].map((n) => row(n, { status: "in_flight" }));

    expect(dueRows(rows, [], at)).toHaveLength(2);
  });
});
