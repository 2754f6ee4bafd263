import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { afterTaking, burstOf, levelOf } from "./rate-limit.ts";
import { limitField, policyField, retryAfter } from "./rate-limit-fields.ts";

const NOW = 1_800_000_000_000;
const policy = { name: "requests", rate: { perSecond: 100 } };
/** The level after so many units were taken, and so many milliseconds later. */
const levelAfter = (units: number, ms = 0, rate = policy.rate) =>
  levelOf(afterTaking(0, units, rate, NOW), rate, NOW + ms);

describe("the RateLimit fields", () => {
  it("tell of the bucket's size and of the time in which it fills", () => {
    expect(policyField(policy)).toBe('"requests";q=200;w=2');
    expect(policyField({ name: "events", rate: { perSecond: 5_000 } })).toBe('"events";q=10000;w=2');
  });

  it.each([
    [0, 0, '"requests";r=200;t=2'],
    [1, 0, '"requests";r=199;t=2'],
    [100, 0, '"requests";r=100;t=1'],
    [199, 0, '"requests";r=1;t=1'],
    [200, 0, '"requests";r=0;t=1'],
    [200, 10, '"requests";r=1;t=1'],
    [1_000, 0, '"requests";r=0;t=9'],
  ])("tell after %i units, %i ms later, %s", (units, ms, field) => {
    expect(limitField(policy, levelAfter(units, ms))).toBe(field);
  });

  it("ask for a wait of a second at least, as long as it takes", () => {
    expect(retryAfter(levelAfter(200), 1, policy.rate)).toBe(1);
    expect(retryAfter(levelAfter(200), 150, policy.rate)).toBe(2);
    expect(retryAfter(levelAfter(1), 500, policy.rate)).toBe(2);
    expect(retryAfter(levelAfter(1_000), 1, policy.rate)).toBe(9);
  });

  it("never promise more than the rate, nor a try within the effective window", () => {
    const some = [
      fc.integer({ min: 1, max: 20_000 }),
      fc.nat(50_000),
      fc.nat(10_000),
      fc.integer({ min: 1 }),
    ] as const;
    fc.assert(
      fc.property(...some, (perSecond, taken, ms, units) => {
        const rate = { perSecond };
        const level = levelAfter(taken, ms, rate);
        const [, r = "", t = ""] = /;r=(\d+);t=(\d+)$/.exec(limitField({ name: "x", rate }, level)) ?? [];
        expect(Number(r)).toBeLessThanOrEqual(Math.min(burstOf(rate), Number(t) * perSecond));
        expect(retryAfter(level, units, rate)).toBeGreaterThanOrEqual(Number(t));
        expect(Number(t)).toBeGreaterThanOrEqual(1);
      }),
    );
  });
});
