import { describe, expect, it } from "vitest";
import { isReplayable, planRows, replayBody, statesOf } from "./bulk.ts";
import { NO_FILTERS } from "./delivery-filters.ts";
import { makeDelivery, testId } from "./testing/make.ts";

const row = (n: number, status: Parameters<typeof makeDelivery>[0]) =>
  makeDelivery({ id: testId("delivery", n), ...status });

describe("planRows", () => {
  it("takes what the action is for, and says how many it passes over", () => {
    const rows = [
      row(1, { status: "failed" }),
      row(2, { status: "pending" }),
      row(3, { status: "delivered" }),
    ];
    expect(planRows("replay", rows)).toMatchObject({ ids: [rows[0]?.id, rows[2]?.id], skipped: 1 });
    expect(planRows("dismiss", rows)).toMatchObject({ ids: [rows[0]?.id], skipped: 2 });
    expect(planRows("cancel", rows)).toMatchObject({ ids: [rows[1]?.id], skipped: 2 });
  });
});

describe("statesOf", () => {
  it("is what the filters and the action have in common", () => {
    expect(statesOf("replay", { ...NO_FILTERS, status: ["failed", "pending"] })).toEqual(["failed"]);
    expect(statesOf("dismiss", { ...NO_FILTERS, status: ["delivered"] })).toEqual([]);
    expect(statesOf("cancel", NO_FILTERS)).toEqual(["pending"]);
  });
});

describe("replayBody", () => {
  const nowMs = Date.parse("2026-11-21T10:00:00.000Z");

  it("is of the time, states, types and reasons that are filtered", () => {
    const filters = {
      ...NO_FILTERS,
      ...{ status: ["failed" as const], type: ["a.b"], reason: ["timeout"], window: "1h" as const },
    };
    expect(replayBody(filters, nowMs)).toEqual({
      from: "2026-11-21T09:00:00.000Z",
      to: "2026-11-21T10:00:00.000Z",
      statuses: ["failed"],
      event_types: ["a.b"],
      failure_reasons: ["timeout"],
    });
  });

  it("goes back as far as the server lets it when no time is chosen", () => {
    const { from, to } = replayBody(NO_FILTERS, nowMs);
    expect(Date.parse(to) - Date.parse(from)).toBeLessThan(31 * 86_400_000);
    expect(Date.parse(to) - Date.parse(from)).toBeGreaterThan(30.9 * 86_400_000);
  });

  it("cannot be of a text or an event", () => {
    expect(isReplayable(NO_FILTERS)).toBe(true);
    expect(isReplayable({ ...NO_FILTERS, q: "x" })).toBe(false);
    expect(isReplayable({ ...NO_FILTERS, event: testId("event") })).toBe(false);
  });
});
