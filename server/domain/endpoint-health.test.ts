import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Health, healthChanges, type TriedEndpoint, verdictOn } from "./endpoint-health.ts";

const HOUR = 3_600_000;
const START = new Date("2026-11-16T00:00:00.000Z");
const after = (hours: number) => new Date(START.getTime() + hours * HOUR);
const failing = (over: Partial<Health> = {}): Health => ({
  ...{ failures: 10, firstFailureAt: START, blockedInRow: 0, goneAt: null, warned: 0 },
  ...over,
});
const verdict = (health: Health, hours: number, over: { scale?: number; isPaused?: boolean } = {}) =>
  verdictOn(health, { now: after(hours), scale: 1, isPaused: false, ...over });

describe("an endpoint that fails", () => {
  it("is disabled after 120 hours without one success, and not a moment before", () => {
    expect(verdict(failing({ warned: 75 }), 120)).toEqual({ disable: "failing" });
    expect(verdict(failing({ warned: 75 }), 119.99)).toBeUndefined();
  });

  it("is left alone as long as fewer than ten attempts have failed, however long that takes", () => {
    expect(verdict(failing({ failures: 9, warned: 75 }), 10_000)).toBeUndefined();
    expect(verdict(failing({ failures: 1 }), 10_000)).toBeUndefined();
  });

  it("has its owner warned half of the way and three quarters of the way, once each", () => {
    expect(verdict(failing(), 59.99)).toBeUndefined();
    expect(verdict(failing(), 60)).toEqual({ warn: 50 });
    expect(verdict(failing({ warned: 50 }), 89)).toBeUndefined();
    expect(verdict(failing({ warned: 50 }), 90)).toEqual({ warn: 75 });
    expect(verdict(failing({ warned: 75 }), 119)).toBeUndefined();
  });

  it("has its owner warned by the higher one where the first was missed", () => {
    expect(verdict(failing(), 100)).toEqual({ warn: 75 });
  });

  it("is half of the way only when half of the attempts have failed too", () => {
    expect(verdict(failing({ failures: 4 }), 200)).toBeUndefined();
    expect(verdict(failing({ failures: 5 }), 200)).toEqual({ warn: 50 });
  });

  it("has windows that RETRY_SCALE multiplies", () => {
    expect(verdict(failing(), 0.12, { scale: 0.001 })).toEqual({ disable: "failing" });
    expect(verdict(failing(), 0.06, { scale: 0.001 })).toEqual({ warn: 50 });
  });

  it("is neither disabled nor warned of by the time that passes while it is paused", () => {
    expect(verdict(failing(), 500, { isPaused: true })).toBeUndefined();
  });
});

describe("an endpoint that is disabled at once", () => {
  it("is one that said that it is gone, paused or not", () => {
    expect(verdict(failing({ failures: 1, goneAt: START }), 0)).toEqual({ disable: "gone" });
    expect(verdict(failing({ failures: 1, goneAt: START }), 0, { isPaused: true })).toEqual({
      disable: "gone",
    });
  });

  it("is one whose address was refused three times in a row", () => {
    expect(verdict(failing({ failures: 2, blockedInRow: 2 }), 0)).toBeUndefined();
    expect(verdict(failing({ failures: 3, blockedInRow: 3 }), 0)).toEqual({ disable: "blocked_address" });
  });
});

let clock = 0;
const tried = (errorCode: string | null, over: Partial<TriedEndpoint> = {}): TriedEndpoint => ({
  tenantId: "t",
  endpointId: "e",
  startedAt: new Date(clock++),
  durationMs: 0,
  outcome: errorCode === null ? "ok" : "retry",
  errorCode,
  ...over,
});

describe("what tries change", () => {
  it("is counted from the last success on", () => {
    expect(healthChanges([tried("http_500"), tried(null), tried("timeout"), tried("http_500")])).toEqual([
      { tenantId: "t", endpointId: "e", hadSuccess: true, failures: 2, blocked: 0, isGone: false },
    ]);
  });

  it("goes by when they ended, whatever their order", () => {
    const late = tried(null, { durationMs: 1_000 });
    expect(healthChanges([late, tried("http_500")])).toMatchObject([{ hadSuccess: true, failures: 0 }]);
  });

  it("is nothing for tries that failed by our fault", () => {
    expect(healthChanges([tried("internal"), tried("worker_lost", { outcome: "lost" })])).toEqual([]);
  });

  it("counts refusals by the address policy only as long as nothing else comes", () => {
    const blocked = () => tried("address_blocked", { outcome: "permanent" });
    expect(healthChanges([blocked(), blocked()])).toMatchObject([{ failures: 2, blocked: 2 }]);
    expect(healthChanges([blocked(), tried("http_500"), blocked()])).toMatchObject([
      { failures: 3, blocked: 1 },
    ]);
  });

  it("comes in the order of tenants and endpoints, one for each", async () => {
    const id = fc.constantFrom("a", "b", "c");
    const tries = fc.array(fc.record({ tenantId: id, endpointId: id, ok: fc.boolean() }), { maxLength: 50 });
    await fc.assert(
      fc.property(tries, (some) => {
        const changes = healthChanges(some.map(({ ok, ...of }) => tried(ok ? null : "http_500", of)));
        const keys = changes.map(({ tenantId, endpointId }) => tenantId + endpointId);
        expect(keys).toEqual([...new Set(some.map((each) => each.tenantId + each.endpointId))].sort());
      }),
    );
  });
});
