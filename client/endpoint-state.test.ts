import { describe, expect, it } from "vitest";
import { explainState, lastResults, sendingOf, shortReason, stateOf } from "./endpoint-state.ts";
import { makeEndpoint } from "./testing/make.ts";

const NOW = Date.parse("2026-11-21T09:30:00.000Z");
const none = { latency_p50_ms: null, latency_p95_ms: null, latency_p99_ms: null };
const bucket = (start: string, succeeded: number, failed: number) => {
  const attempts = succeeded + failed;
  return {
    start,
    attempts,
    succeeded,
    failed,
    success_rate: attempts ? succeeded / attempts : null,
    ...none,
  };
};
const closed = { state: "closed", until: null } as const;

describe("how an endpoint is doing", () => {
  it("is its status unless it is enabled", () => {
    const stats = { circuit_breaker: { state: "open", until: null } as const, buckets: [] };

    expect(stateOf(makeEndpoint({ status: "paused" }), stats)).toBe("paused");
    expect(stateOf(makeEndpoint({ status: "disabled" }), stats)).toBe("disabled");
    expect(stateOf(makeEndpoint(), stats)).toBe("failing");
  });

  it("sends nothing unless it is enabled, whatever its circuit breaker says", () => {
    expect(sendingOf(makeEndpoint({ status: "disabled" }), "closed")).toBe("disabled");
    expect(sendingOf(makeEndpoint({ status: "paused" }), "open")).toBe("paused");
    expect(sendingOf(makeEndpoint(), "half_open")).toBe("half_open");
    expect(sendingOf(undefined, "closed")).toBe("closed");
  });

  it("fails when most of the last attempts failed, however long ago", () => {
    const buckets = [bucket("a", 9, 0), bucket("b", 1, 3), bucket("c", 0, 0)];

    expect(stateOf(makeEndpoint(), { circuit_breaker: closed, buckets })).toBe("failing");
    expect(stateOf(makeEndpoint(), { circuit_breaker: closed, buckets: [bucket("a", 1, 1)] })).toBe(
      "enabled",
    );
    expect(stateOf(makeEndpoint(), undefined)).toBe("enabled");
  });

  it("says until when the circuit breaker is open, and why", () => {
    const until = "2026-11-21T09:30:40.000Z";
    const stats = { circuit_breaker: { state: "open", until } as const, buckets: [] };

    const { headline, reason } = explainState(makeEndpoint(), stats, NOW);

    expect(headline).toBe("The circuit breaker is open: it is tried again in 40 s.");
    expect(reason).toContain("failed again and again");
  });

  it("says why it is disabled", () => {
    const gone = makeEndpoint({ status: "disabled", disabled_reason: "gone" });

    expect(shortReason(gone)).toBe("answered 410");
    expect(shortReason(makeEndpoint({ status: "disabled" }))).toBe("by a person");
    expect(explainState(gone, undefined, NOW).reason).toContain("410");
  });
});

it("knows the last bucket with a success and the last with a failure", () => {
  const buckets = [bucket("a", 1, 0), bucket("b", 0, 2), bucket("c", 0, 0)];

  expect(lastResults({ buckets })).toEqual({ success: "a", failure: "b" });
  expect(lastResults({ buckets: [] })).toEqual({ success: null, failure: null });
});
