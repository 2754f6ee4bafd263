import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { TransportErrorCode } from "#contracts/outcomes.ts";
import { classify, type Failure } from "./outcome.ts";
import { MAX_ATTEMPTS, nextAttempt, parseRetryAfter, retryDelayMs } from "./retry-schedule.ts";

const NOW = new Date("2026-11-21T00:00:00.000Z");
const HOUR = 3_600_000;
const MIDDLE = 0.5;

const failure = (result: number | TransportErrorCode): Failure => {
  const found = classify(
    typeof result === "number" ? { kind: "response", status: result } : { kind: "error", code: result },
  );
  if (found.outcome === "ok") throw new Error("Not a failure.");
  return found;
};

type Options = Partial<Omit<Parameters<typeof nextAttempt>[0], "failure">>;
const next = (result: number | TransportErrorCode, options: Options = {}) =>
  nextAttempt({ failure: failure(result), step: 1, random: MIDDLE, now: NOW, scale: 1, ...options });
const waitMs = (result: number | TransportErrorCode, options: Options = {}) => {
  const answer = next(result, options);
  return "at" in answer ? answer.at.getTime() - NOW.getTime() : answer.terminal;
};

describe("the retry schedule", () => {
  it("waits 5 s and five times as long each time, at most a day", () => {
    const waits = Array.from({ length: MAX_ATTEMPTS - 1 }, (_, index) => waitMs(500, { step: index + 1 }));
    expect(waits).toEqual(
      [5, 25, 125, 625, 3125, 15_625, 78_125, 86_400, 86_400].map((seconds) => seconds * 1000),
    );
    const total = waits.reduce<number>((sum, wait) => sum + Number(wait), 0);
    expect(total / 1000).toBe((75 * 60 + 7) * 60 + 35);
  });

  it("gives up when the tenth attempt fails", () => {
    expect(next(500, { step: 9 })).toHaveProperty("at");
    expect(next(500, { step: 10 })).toEqual({ terminal: "exhausted" });
    expect(next(500, { step: 11 })).toEqual({ terminal: "exhausted" });
  });

  it("gives up when the last allowed attempt fails", () => {
    expect(next(500, { step: 2, policy: { max_attempts: 3, schedule_seconds: null } })).toHaveProperty("at");
    expect(next(500, { step: 3, policy: { max_attempts: 3, schedule_seconds: null } })).toEqual({
      terminal: "exhausted",
    });
    expect(next(404, { step: 3, policy: { max_attempts: 3, schedule_seconds: null } })).toEqual({
      terminal: "exhausted",
    });
  });

  it.each([302, 401, 403, 404, 407, 421])("gives %i six attempts", (status) => {
    expect(waitMs(status, { step: 5 })).toBe(3_125_000);
    expect(next(status, { step: 6 })).toEqual({ terminal: "exhausted" });
  });

  it("ends at once what is not worth repeating", () => {
    expect(next(400)).toEqual({ terminal: "permanent" });
    expect(next(410)).toEqual({ terminal: "gone" });
    expect(next("address_blocked")).toEqual({ terminal: "blocked" });
  });

  it("spreads the waits by a fifth each way", () => {
    expect(waitMs(500, { random: 0 })).toBe(4000);
    expect(waitMs(500, { random: 0.999_999_999 })).toBe(6000);
  });

  it.each(["timeout", "connect_timeout"] as const)("waits at least a minute after a %s", (code) => {
    expect(waitMs(code, { step: 1 })).toBe(60_000);
    expect(waitMs(code, { step: 2 })).toBe(60_000);
    expect(waitMs(code, { step: 3 })).toBe(125_000);
  });

  it("never exhausts the schedule by workers that are lost", () => {
    for (const step of [1, 10, 1000]) expect(waitMs("worker_lost", { step })).toBe(0);
  });

  it("ends what we fail at ourselves again and again", () => {
    expect(waitMs("internal", { step: 9 })).toBe(24 * HOUR);
    expect(next("internal", { step: 10 })).toEqual({ terminal: "exhausted" });
  });

  it("scales every wait", () => {
    expect(waitMs(500, { step: 3, scale: 0.001 })).toBe(125);
    expect(waitMs("timeout", { scale: 0.001 })).toBe(60);
    expect(waitMs(503, { retryAfter: "3600", scale: 0.001 })).toBe(3600);
    expect(waitMs("internal", { scale: 0.001 })).toBe(5);
  });

  it("keeps its bounds for any failure, step, chance and header", () => {
    const results = fc.oneof(
      fc.integer({ min: 100, max: 999 }).filter((status) => status < 200 || status > 299),
      fc.constantFrom<TransportErrorCode>("dns_failure", "timeout", "tls_expired", "bad_response"),
    );
    const headers = fc.option(fc.oneof(fc.string(), fc.nat().map(String)));
    fc.assert(
      fc.property(
        results,
        fc.integer({ min: 1, max: 12 }),
        fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
        headers,
        (result, step, random, retryAfter) => {
          const wait = waitMs(result, { step, random, retryAfter });
          if (typeof wait === "string") return;
          expect(step).toBeLessThan(MAX_ATTEMPTS);
          expect(wait).toBeGreaterThanOrEqual(Math.floor(retryDelayMs(step) * 0.8));
          expect(wait).toBeLessThanOrEqual(24 * HOUR * 1.2);
        },
      ),
    );
  });
});

describe("the policy of an endpoint", () => {
  const of = (max_attempts: number | null, schedule_seconds: number[] | null) => ({
    policy: { max_attempts, schedule_seconds },
  });

  it("has its own pauses, the last of them for all that follow, and one attempt more than pauses", () => {
    expect([1, 2, 3].map((step) => waitMs(500, { step, ...of(null, [7, 70, 700]) }))).toEqual([
      7_000, 70_000, 700_000,
    ]);
    expect(next(500, { step: 4, ...of(null, [7, 70, 700]) })).toEqual({ terminal: "exhausted" });
    expect(waitMs(500, { step: 9, ...of(10, [7, 70, 700]) })).toBe(700_000);
  });

  it("has its own number of attempts, up to more than usual", () => {
    expect(next(500, { step: 1, ...of(1, null) })).toEqual({ terminal: "exhausted" });
    expect(waitMs(500, { step: 14, ...of(15, null) })).toBe(24 * HOUR);
    expect(next(500, { step: 15, ...of(15, null) })).toEqual({ terminal: "exhausted" });
  });

  it("lengthens neither the short schedule nor shortens what the receiver asks for", () => {
    expect(next(404, { step: 6, ...of(15, [1]) })).toEqual({ terminal: "exhausted" });
    expect(waitMs(503, { retryAfter: "120", ...of(null, [1]) })).toBe(120_000);
    expect(waitMs(429, of(null, [1]))).toBe(60_000);
  });

  it("changes nothing where it leaves open what could be", () => {
    for (const step of [1, 5, 9])
      expect(waitMs(500, { step, ...of(null, null) })).toBe(waitMs(500, { step }));
  });
});

describe("Retry-After", () => {
  it("delays the next try when it asks for more than the schedule", () => {
    expect(waitMs(503, { retryAfter: "120" })).toBe(120_000);
    expect(waitMs(503, { retryAfter: "1" })).toBe(5000);
    expect(waitMs(503, { retryAfter: "120", step: 5 })).toBe(3_125_000);
  });

  it("waits at least a minute after 429", () => {
    expect(waitMs(429)).toBe(60_000);
    expect(waitMs(429, { retryAfter: "10" })).toBe(60_000);
    expect(waitMs(429, { retryAfter: "90" })).toBe(90_000);
  });

  it("takes a date", () => {
    expect(waitMs(503, { retryAfter: "Sat, 21 Nov 2026 00:10:00 GMT" })).toBe(600_000);
  });

  it("is capped at a day", () => {
    expect(waitMs(503, { retryAfter: "999999999999999999999" })).toBe(24 * HOUR);
    expect(waitMs(503, { retryAfter: "Fri, 31 Dec 2099 23:59:59 GMT" })).toBe(24 * HOUR);
  });

  it("is ignored for other answers", () => {
    for (const result of [500, 502, 404, 302, "timeout"] as const) {
      expect(waitMs(result, { retryAfter: "7200" })).toBe(waitMs(result));
    }
  });

  it("is ignored when malformed, negative or past", () => {
    for (const retryAfter of [
      "",
      "soon",
      "-5",
      "1.5",
      "1e3",
      "0x10",
      "Infinity",
      "12 minutes",
      "Sat, 21 Nov 2026",
    ]) {
      expect(waitMs(503, { retryAfter })).toBe(5000);
    }
    expect(waitMs(503, { retryAfter: "Fri, 20 Nov 2026 23:59:59 GMT" })).toBe(5000);
    expect(waitMs(503, { retryAfter: null })).toBe(5000);
  });
});

describe("parseRetryAfter", () => {
  it("reads delay-seconds and the three HTTP dates of RFC 9110", () => {
    const before = new Date("1994-11-06T08:49:00Z");
    expect(parseRetryAfter(" 120 ", NOW)).toBe(120_000);
    expect(parseRetryAfter("0", NOW)).toBe(0);
    expect(parseRetryAfter("Sun, 06 Nov 1994 08:49:37 GMT", before)).toBe(37_000);
    expect(parseRetryAfter("Sunday, 06-Nov-94 08:49:37 GMT", before)).toBe(37_000);
    expect(parseRetryAfter("Sun Nov  6 08:49:37 1994", before)).toBe(37_000);
  });

  it("takes no date in another form", () => {
    for (const text of [
      "2026-11-21T00:10:00Z",
      "Sat, 21 Nov 2026 00:10:00",
      "Sat, 99 Nov 2026 00:10:00 GMT",
    ]) {
      expect(parseRetryAfter(text, NOW)).toBeNull();
    }
  });
});
