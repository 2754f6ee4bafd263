import { describe, expect, it } from "vitest";
import { makeAttempt, makeDelivery } from "./testing/make.ts";
import { timelineOf } from "./timeline.ts";

const first = makeAttempt({ number: 1, started_at: "2026-11-21T09:30:00.100Z", outcome: "retry" });
const second = makeAttempt({ number: 2, started_at: "2026-11-21T09:30:05.100Z" });

describe("timelineOf", () => {
  it("tells the story newest first, with the waits between attempts", () => {
    const items = timelineOf(makeDelivery({ attempts: 2 }), [second, first]);

    expect(items).toEqual([
      { kind: "attempt", attempt: second, waitedMs: 5_000 },
      { kind: "attempt", attempt: first, waitedMs: 100 },
      { kind: "created", at: "2026-11-21T09:30:00.000Z" },
    ]);
  });

  it("begins with the attempt that is planned", () => {
    const next = "2026-11-21T09:34:00.000Z";
    const delivery = makeDelivery({ status: "pending", attempts: 1, next_attempt_at: next });

    expect(timelineOf(delivery, [first])[0]).toEqual({ kind: "next", at: next, number: 2, isRunning: false });
  });

  it("begins with the attempt that runs", () => {
    const delivery = makeDelivery({ status: "in_flight", attempts: 1 });

    expect(timelineOf(delivery, [first])[0]).toEqual({ kind: "next", at: null, number: 2, isRunning: true });
  });

  it.each(["delivered", "failed", "cancelled", "dismissed"] as const)(
    "plans nothing once it is %s",
    (status) => {
      expect(timelineOf(makeDelivery({ status }), [first]).some((item) => item.kind === "next")).toBe(false);
    },
  );

  it("does not plan an attempt that has been made since", () => {
    const delivery = makeDelivery({ status: "pending", attempts: 1 });

    expect(timelineOf(delivery, [first, second]).some((item) => item.kind === "next")).toBe(false);
  });

  it("tells no wait when clocks disagree", () => {
    const early = makeAttempt({ started_at: "2026-11-21T09:29:59.000Z" });

    expect(timelineOf(makeDelivery(), [early])[0]).toMatchObject({ waitedMs: null });
  });
});
