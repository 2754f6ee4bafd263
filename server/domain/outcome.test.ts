import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { explainOutcome } from "#contracts/explain-outcome.ts";
import { OUTCOME_TABLE, TLS_REASONS, type TransportErrorCode } from "#contracts/outcomes.ts";
import { classify } from "./outcome.ts";

const ERRORS: TransportErrorCode[] = [
  "dns_failure",
  "connection_refused",
  "connection_reset",
  "connect_timeout",
  "timeout",
  ...TLS_REASONS.map((reason) => `tls_${reason}` as const),
  "bad_response",
  "address_blocked",
  "worker_lost",
  "internal",
];

const ofStatus = (status: number) => {
  const { outcome, errorCode } = classify({ kind: "response", status });
  return { outcome, errorCode };
};
const ofError = (code: TransportErrorCode) => classify({ kind: "error", code });
const rowOfStatus = (status: number) => classify({ kind: "response", status }).row;

describe("classify, a status", () => {
  it.each([200, 201, 202, 204, 226, 299])("takes %i as ok", (status) => {
    expect(ofStatus(status)).toEqual({ outcome: "ok", errorCode: null });
  });

  it.each([300, 301, 302, 303, 304, 307, 308, 399])("never follows %i", (status) => {
    expect(ofStatus(status)).toEqual({ outcome: "retry_short", errorCode: "redirect_not_followed" });
  });

  it.each([401, 403, 404, 407, 421])("retries %i for a short while", (status) => {
    expect(ofStatus(status)).toEqual({ outcome: "retry_short", errorCode: `http_${status}` });
  });

  it.each([408, 409, 423, 424, 425, 429, 500, 501, 502, 503, 504, 505, 507, 520, 529, 599])(
    "retries %i over the full schedule",
    (status) => {
      expect(ofStatus(status)).toEqual({ outcome: "retry", errorCode: `http_${status}` });
    },
  );

  it.each([400, 402, 405, 406, 411, 412, 413, 414, 415, 416, 417, 418, 422, 426, 428, 431, 451, 499])(
    "does not repeat %i",
    (status) => {
      expect(ofStatus(status)).toEqual({ outcome: "permanent", errorCode: `http_${status}` });
      expect(rowOfStatus(status).failureClass).toBe("permanent");
    },
  );

  it("disables the endpoint on 410", () => {
    expect(ofStatus(410)).toEqual({ outcome: "disable", errorCode: "http_410" });
    expect(rowOfStatus(410).failureClass).toBe("gone");
  });

  it.each([-1, 0, 99, 100, 101, 103, 199, 600, 999, 1000])("takes %i for a broken answer", (status) => {
    expect(ofStatus(status)).toEqual({ outcome: "retry", errorCode: "bad_response" });
  });

  it("throttles on 429, 502, 503 and 504 alone", () => {
    const throttling = Array.from({ length: 500 }, (_, index) => index + 100).filter(
      (status) => rowOfStatus(status).throttle,
    );
    expect(throttling).toEqual([429, 502, 503, 504]);
  });

  it("honours Retry-After on 429 and 503 alone", () => {
    const honouring = Array.from({ length: 500 }, (_, index) => index + 100).filter(
      (status) => rowOfStatus(status).honoursRetryAfter,
    );
    expect(honouring).toEqual([429, 503]);
  });

  it("is total over all integers", () => {
    fc.assert(
      fc.property(fc.integer(), (status) => {
        const { outcome, errorCode } = ofStatus(status);
        expect(outcome === "ok").toBe(errorCode === null);
      }),
    );
  });
});

describe("classify, a transport error", () => {
  it.each(ERRORS)("names %s as it is", (code) => {
    expect(ofError(code).errorCode).toBe(code);
  });

  it("retries everything that may pass", () => {
    const others = ERRORS.filter((code) => code !== "address_blocked" && code !== "worker_lost");
    expect(others.map((code) => ofError(code).outcome)).toEqual(others.map(() => "retry"));
  });

  it("gives up on a refused address, as blocked", () => {
    expect(ofError("address_blocked")).toMatchObject({
      outcome: "permanent",
      row: { failureClass: "blocked" },
    });
  });

  it("uses up no try for a lost worker", () => {
    expect(ofError("worker_lost").outcome).toBe("lost");
    expect(ERRORS.filter((code) => ofError(code).row.notCounted)).toEqual(["worker_lost"]);
  });

  it("alerts the owner on every TLS failure and on nothing else", () => {
    expect(ERRORS.filter((code) => ofError(code).row.alertOwner)).toEqual(
      ERRORS.filter((code) => code.startsWith("tls_")),
    );
  });

  it("gives an overloaded endpoint a minute after a timeout", () => {
    expect(ERRORS.filter((code) => ofError(code).row.minDelayMs === 60_000)).toEqual([
      "connect_timeout",
      "timeout",
    ]);
  });
});

describe("the outcome table", () => {
  it("says of each row what it is about and why", () => {
    for (const row of OUTCOME_TABLE) {
      expect(row.when).toMatch(/\S/);
      expect(row.why).toMatch(/^[A-Z].*\.$/);
      expect((row.statuses === undefined) !== (row.errors === undefined)).toBe(true);
    }
  });

  it("has no row that an earlier one hides", () => {
    const reached = new Set(
      [
        ...Array.from({ length: 1000 }, (_, status) => classify({ kind: "response", status })),
        ...ERRORS.map(ofError),
      ].map(({ row }) => row),
    );
    expect([...reached]).toHaveLength(OUTCOME_TABLE.length);
  });
});

describe("explainOutcome", () => {
  it("has a sentence for every error code", () => {
    for (const code of [...ERRORS, "redirect_not_followed", "http_503", null]) {
      expect(explainOutcome(code)).toMatch(/^[A-Z][^()]*\.$/);
    }
    expect(explainOutcome("dns_failure")).toBe("The host name did not resolve.");
    expect(explainOutcome("http_503")).toContain("503");
  });

  it("still says something of a code of a later version", () => {
    expect(explainOutcome("quantum_failure")).toBe("The attempt failed (quantum_failure).");
    expect(explainOutcome("constructor")).toBe("The attempt failed (constructor).");
  });
});
