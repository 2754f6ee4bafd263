import { describe, expect, it } from "vitest";
import { DELIVERY_STATUSES, type Delivery, FAILURE_CLASSES } from "#contracts/deliveries.ts";
import { nextStepOf, whyOf } from "./next-step.ts";
import { makeAttempt, makeDelivery, makeEndpoint } from "./testing/make.ts";

const nowMs = Date.parse("2026-11-21T09:31:00.000Z");
const stepOf = (parts: Partial<Delivery>, context: Partial<Parameters<typeof nextStepOf>[1]> = {}) =>
  nextStepOf(makeDelivery(parts), { last: undefined, endpoint: makeEndpoint(), nowMs, ...context });

describe("nextStepOf", () => {
  it("says when the next attempt comes and why there is one", () => {
    const last = makeAttempt({ outcome: "retry", error_code: "http_503" });
    const waiting = { status: "pending", attempts: 3, next_attempt_at: "2026-11-21T09:35:30.000Z" } as const;

    const step = stepOf(waiting, { last });

    expect(step.headline).toBe("Attempt 4 follows in 4 m, at 2026-11-21 09:35:30.000 UTC.");
    expect(step.reason).toBe(
      "The endpoint answered with status 503. The receiver is overloaded or in maintenance.",
    );
  });

  it("says that it is a replay when the last result was final", () => {
    const last = makeAttempt({ outcome: "permanent", error_code: "http_422" });

    const step = stepOf({ status: "pending", next_attempt_at: "2026-11-21T09:31:09.000Z" }, { last });

    expect(step.reason).toBe("Somebody has asked to send it again.");
  });

  it("says that an attempt is due once its time has come", () => {
    const step = stepOf({ status: "pending", attempts: 0, next_attempt_at: "2026-11-21T09:30:59.000Z" });

    expect(step.headline).toBe("Attempt 1 is due now: the next free worker takes it.");
  });

  it("says that a paused endpoint holds it back", () => {
    const step = stepOf({ status: "pending" }, { endpoint: makeEndpoint({ status: "paused" }) });

    expect(step).toEqual({
      headline: "It is held until its endpoint is resumed.",
      reason: "The endpoint is paused.",
    });
  });

  it("says after how many attempts it arrived, and how late", () => {
    expect(stepOf({ attempts: 1 }).headline).toBe(
      "The endpoint accepted it at the first attempt, 150 ms after the event.",
    );
    expect(stepOf({ attempts: 3, delivered_at: "2026-11-21T09:30:31.000Z" }).headline).toBe(
      "The endpoint accepted it after 3 attempts, 31 s after the event.",
    );
  });

  it("says why the endpoint of what was cancelled is disabled", () => {
    const endpoint = makeEndpoint({ status: "disabled", disabled_reason: "failing" });
    expect(stepOf({ status: "cancelled" }, { endpoint }).reason).toBe(
      "Its endpoint is disabled. It was disabled by itself, after 120 hours without one success, and at least 10 failed attempts. Nobody seems to be there any more.",
    );
  });

  it("says that the workers were lost that sent it", () => {
    const step = stepOf({ status: "failed", failure_class: "exhausted", failure_reason: "worker_lost" });
    expect(step.headline).toContain("three times in a row the worker that sent it stopped");
  });

  it("gives the table's reason when a result is not repeated", () => {
    const step = stepOf({ status: "failed", failure_class: "permanent", failure_reason: "http_422" });

    expect(step.reason).toBe(
      "The endpoint answered with status 422. The same bytes would get the same answer, so the delivery is not repeated by itself.",
    );
  });

  it("has words for each status and each way to fail", () => {
    const all = [
      ...DELIVERY_STATUSES.map((status) => stepOf({ status })),
      ...FAILURE_CLASSES.map((failure_class) => stepOf({ status: "failed", failure_class })),
    ];

    for (const step of all) expect(step.headline).toMatch(/\.$/);
    expect(new Set(all.map((step) => step.headline)).size).toBeGreaterThanOrEqual(8);
  });
});

describe("whyOf", () => {
  it("explains transport errors and redirects from their own rows", () => {
    expect(whyOf("timeout")).toBe("No answer came in time. An overloaded receiver needs a pause.");
    expect(whyOf("redirect_not_followed")).toContain("Redirects are never followed.");
  });

  it("has nothing to explain about a success", () => {
    expect(whyOf(null)).toBeNull();
  });

  it("says at least the code when it is unknown", () => {
    expect(whyOf("gremlins")).toBe("The attempt failed (gremlins).");
  });
});
