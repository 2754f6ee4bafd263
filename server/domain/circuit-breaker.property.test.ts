import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  BREAKER_STATES,
  type BreakerVerdict,
  FIRST_OPEN_SECONDS,
  LONGEST_OPEN_SECONDS,
  OPEN_AFTER_FAILURES,
} from "#contracts/circuit-breaker.ts";
import {
  type Breaker,
  type BreakerNews,
  countStrike,
  isTooMany,
  nextBreaker,
  openForMs,
  type Strikes,
} from "./circuit-breaker.ts";

const CLOSED: Breaker = { state: "closed", until: null, opens: 0 };
const NOW = new Date("2026-11-21T10:00:00Z");
const draw = { now: NOW, random: 0.5, scale: 1 };
const verdict = fc.constantFrom<BreakerVerdict>("answers", "fails", "throttles", "none");
const news: fc.Arbitrary<BreakerNews> = fc.oneof(
  fc.constant({ kind: "answered" } as const),
  fc.record({
    kind: fc.constantFrom("tripped" as const, "probe_failed" as const, "probe_undecided" as const),
    askedMs: fc.integer({ min: 0, max: 10_000_000 }),
  }),
);

/** What a worker makes of verdicts that come so many milliseconds after one another, of requests that take no time. */
function count(
  verdicts: readonly BreakerVerdict[],
  gapMs = 0,
): { strikes?: Strikes | undefined; trips: number[] } {
  let strikes: Strikes | undefined;
  const trips: number[] = [];
  for (const [n, each] of verdicts.entries()) {
    const at = n * gapMs;
    strikes = countStrike(strikes, each, { endedAt: at });
    if (each === "fails" && strikes && isTooMany(strikes, { beganAt: at })) trips.push(n);
  }
  return { strikes, trips };
}
const times = (n: number, what: BreakerVerdict): BreakerVerdict[] => Array.from({ length: n }, () => what);

describe("the failures of an endpoint", () => {
  it("are too many with ten in a row, however far apart, and not before", () => {
    for (const gap of [0, 1_000, 3_600_000])
      expect(count(times(12, "fails"), gap).trips[0]).toBe(OPEN_AFTER_FAILURES - 1);
  });

  it("are not too many as long as all of them were under way when the first one failed", () => {
    let strikes: Strikes | undefined;
    for (let n = 0; n < 100; n++) {
      strikes = countStrike(strikes, "fails", { endedAt: 15_000 + n });
      expect(isTooMany(strikes as Strikes, { beganAt: n })).toBe(false);
    }
    const next = countStrike(strikes, "fails", { endedAt: 16_000 }) as Strikes;
    expect(isTooMany(next, { beganAt: 15_001 })).toBe(true);
  });

  it("begin anew with any answer, and not with what says nothing", () => {
    const nine = times(OPEN_AFTER_FAILURES - 1, "fails");
    expect(count([...nine, "answers", ...nine]).trips).toEqual([]);
    expect(count([...nine, "none", "throttles", "fails"]).trips).toHaveLength(1);
  });

  it("are too many when four of five fail in half a minute, although none are in a row", () => {
    const mixed = Array.from({ length: 40 }, (_, n): BreakerVerdict => (n % 5 === 4 ? "answers" : "fails"));
    expect(count(mixed, 100).trips[0]).toBeGreaterThanOrEqual(19);
    expect(count(mixed, 100).trips.length).toBeGreaterThan(0);
    expect(count(mixed, 3_000).trips).toEqual([]);
    const half = Array.from({ length: 200 }, (_, n): BreakerVerdict => (n % 2 === 0 ? "answers" : "fails"));
    expect(count(half, 100).trips).toEqual([]);
  });

  it("are never too many at an endpoint that does not fail, of which nothing is remembered", () => {
    const fine = fc.constantFrom<BreakerVerdict>("answers", "throttles", "none");
    fc.assert(
      fc.property(fc.array(fine), (verdicts) => {
        expect(count(verdicts)).toEqual({ strikes: undefined, trips: [] });
      }),
    );
  });

  it("count no more than there were", () => {
    fc.assert(
      fc.property(fc.array(verdict, { maxLength: 60 }), fc.nat(20_000), (verdicts, gap) => {
        const { strikes } = count(verdicts, gap);
        if (!strikes) return;
        expect(strikes.failures).toBeLessThanOrEqual(strikes.attempts);
        expect(strikes.inRow).toBeLessThanOrEqual(verdicts.filter((each) => each === "fails").length);
      }),
    );
  });
});

describe("a circuit breaker", () => {
  it("is open for ten seconds at first, and twice as long each time, up to five minutes, a fifth more or less", () => {
    const seconds = [1, 2, 3, 4, 5, 6, 7, 1_000].map((opens) => openForMs(opens, 0, draw) / 1_000);
    expect(seconds).toEqual([10, 20, 40, 80, 160, 300, 300, 300]);
    expect(openForMs(1, 0, { random: 0, scale: 1 })).toBe(8_000);
    expect(openForMs(1, 0, { random: 1, scale: 0.1 })).toBe(1_200);
  });

  it("is open for as long as the receiver asks, up to an hour", () => {
    expect(openForMs(1, 120_000, draw)).toBe(120_000);
    expect(openForMs(1, 86_400_000, draw)).toBe(3_600_000);
    expect(openForMs(6, 1_000, draw)).toBe(300_000);
  });

  it("goes from closed to open and, whatever the probe says, to open or closed", () => {
    fc.assert(
      fc.property(fc.array(news), (all) => {
        let breaker = CLOSED;
        for (const each of all) {
          const next = nextBreaker(breaker, each, draw);
          if (next) {
            expect(BREAKER_STATES).toContain(next.state);
            expect(next.state === "closed").toBe(each.kind === "answered");
            if (breaker.state === "closed") expect(each.kind).toBe("tripped");
            const waitMs = (next.until?.getTime() ?? 0) - NOW.getTime();
            if (next.state === "open") {
              expect(waitMs).toBeGreaterThanOrEqual(FIRST_OPEN_SECONDS * 800);
              expect(waitMs).toBeLessThanOrEqual(Math.max(LONGEST_OPEN_SECONDS * 1_200, 3_600_000));
            }
          }
          breaker = next ?? breaker;
          if (each.kind === "answered") expect(breaker.state).toBe("closed");
        }
      }),
    );
  });

  it("is opened once by many who see the endpoint fail, and not by results that are older than its closing", () => {
    const tripped = { kind: "tripped", askedMs: 0 } as const;
    const open = nextBreaker(CLOSED, tripped, draw) as Breaker;
    expect(open).toMatchObject({ state: "open", opens: 1 });
    expect(nextBreaker(open, tripped, draw)).toBeUndefined();
    expect(nextBreaker({ ...open, state: "half_open" }, tripped, draw)).toBeUndefined();
    for (const kind of ["probe_failed", "probe_undecided"] as const)
      expect(nextBreaker(CLOSED, { kind, askedMs: 0 }, draw)).toBeUndefined();
  });

  it("opens for longer after each failed probe, for as long after one that was asked to wait", () => {
    const half: Breaker = { state: "half_open", until: NOW, opens: 3 };
    expect(nextBreaker(half, { kind: "probe_failed", askedMs: 0 }, draw)?.opens).toBe(4);
    expect(nextBreaker(half, { kind: "probe_undecided", askedMs: 0 }, draw)?.opens).toBe(3);
  });

  it("goes on where it left off when the endpoint fails again soon after, and begins anew otherwise", () => {
    const closedAgo = (ms: number): Breaker => ({
      state: "closed",
      until: new Date(NOW.getTime() - ms),
      opens: 3,
    });
    const opens = (breaker: Breaker) => nextBreaker(breaker, { kind: "tripped", askedMs: 0 }, draw)?.opens;
    expect(opens(closedAgo(10_000))).toBe(4);
    expect(opens(closedAgo(400_000))).toBe(1);
  });
});
