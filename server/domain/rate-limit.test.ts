import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { afterTaking, burstOf, canTake, levelOf, type Rate, refillMs, waitMs } from "./rate-limit.ts";

const START = 1_800_000_000_000;
const perSecond = fc.integer({ min: 1, max: 100_000 });
/** Milliseconds that pass, then units that are asked for. */
const calls = fc.array(
  fc.tuple(fc.double({ min: 0, max: 5_000, noNaN: true }), fc.integer({ min: 1, max: 300 })),
  {
    maxLength: 60,
  },
);

/** A bucket that is asked for units, by a clock of its own. */
function bucket(rate: Rate) {
  let fullAt = 0;
  return {
    level: (now: number) => levelOf(fullAt, rate, now),
    take(units: number, now: number) {
      const allowed = canTake(levelOf(fullAt, rate, now), units, rate);
      if (allowed) fullAt = afterTaking(fullAt, units, rate, now);
      return allowed;
    },
  };
}

describe("a bucket", () => {
  it("gives twice its rate at once, then its rate", () => {
    const limit = bucket({ perSecond: 100 });
    expect(limit.level(START)).toEqual({ remaining: 200, fullInMs: 0 });
    expect(Array.from({ length: 201 }, () => limit.take(1, START)).filter(Boolean)).toHaveLength(200);
    expect(limit.level(START)).toEqual({ remaining: 0, fullInMs: 2_000 });
    expect([limit.take(1, START + 9), limit.take(1, START + 10), limit.take(1, START + 10)]).toEqual([
      false,
      true,
      false,
    ]);
    expect(limit.take(100, START + 1_010)).toBe(true);
  });

  it("gives more than it holds only when it is full, and then waits the debt off", () => {
    const limit = bucket({ perSecond: 10 });
    expect([limit.take(1, START), limit.take(50, START)]).toEqual([true, false]);
    expect(limit.take(50, START + 100)).toBe(true);
    expect(limit.level(START + 100)).toEqual({ remaining: 0, fullInMs: 5_000 });
    expect([limit.take(1, START + 3_100), limit.take(1, START + 3_200)]).toEqual([false, true]);
  });

  it("counts what the caller has just taken as there", () => {
    const rate = { perSecond: 10 };
    const level = levelOf(afterTaking(0, 1, rate, START), rate, START);
    expect([canTake(level, 49, rate), canTake(level, 49, rate, 1)]).toEqual([false, true]);
  });

  it("never gives more than its burst and its rate since, whatever is asked for when", () => {
    fc.assert(
      fc.property(perSecond, calls, (rate, asked) => {
        const limit = bucket({ perSecond: rate });
        const burst = burstOf({ perSecond: rate });
        let now = START;
        let given = 0;
        for (const [later, units] of asked) {
          now += later;
          if (limit.take(Math.min(units, burst), now)) given += Math.min(units, burst);
          expect(given).toBeLessThanOrEqual(burst + ((now - START) * rate) / 1000 + 0.01);
        }
      }),
    );
  });

  it("never refuses who asks for no more than its burst within any two seconds", () => {
    fc.assert(
      fc.property(perSecond, calls, (rate, asked) => {
        const limit = bucket({ perSecond: rate });
        const burst = burstOf({ perSecond: rate });
        const taken: { at: number; units: number }[] = [];
        let now = START;
        for (const [later, wanted] of asked) {
          now += later;
          const recent = taken
            .filter(({ at }) => at >= now - 2_000)
            .reduce((sum, { units }) => sum + units, 0);
          const units = Math.min(wanted, burst - recent);
          if (units <= 0) continue;
          expect(limit.take(units, now)).toBe(true);
          taken.push({ at: now, units });
        }
      }),
    );
  });

  it("gives what was asked for after the wait that it tells, and not before", () => {
    fc.assert(
      fc.property(perSecond, calls, fc.integer({ min: 1, max: 2_000 }), (rate, asked, units) => {
        const limit = bucket({ perSecond: rate });
        let now = START;
        for (const [later, wanted] of asked) {
          now += later;
          limit.take(wanted, now);
        }
        const wait = waitMs(limit.level(now), units, { perSecond: rate });
        const oneUnitMs = refillMs(1, { perSecond: rate });
        if (wait > oneUnitMs)
          expect(canTake(limit.level(now + wait - oneUnitMs), units, { perSecond: rate })).toBe(false);
        expect(limit.take(units, now + wait + 0.01)).toBe(true);
      }),
    );
  });
});
