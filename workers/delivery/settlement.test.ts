import { describe, expect, it } from "vitest";
import type { DueDelivery } from "#db/queries/list-due.ts";
import type { AttemptResult } from "#server/domain/outcome.ts";
import { noAnswer, settlementOf, type Try } from "./settlement.ts";

const NOW = new Date("2026-03-01T12:00:00.000Z");
const DUE: DueDelivery = {
  tenantId: "t",
  id: "d",
  ctid: "(0,1)",
  eventId: "e",
  endpointId: "w",
  eventType: "OrderCreated",
  jobId: "job-before",
  attempts: 3,
  step: 2,
  trigger: "schedule",
  body: "{}",
  endpointVersion: "1",
  sequence: null,
  endpointState: "open",
};
const DRAW = { now: NOW, random: 0.5, newId: () => "fresh", retryScale: 1 };

function tried(
  result: AttemptResult,
  over: Partial<Try["result"]> = {},
  due: Partial<DueDelivery> = {},
): Try {
  const status = result.kind === "response" ? result.status : null;
  return {
    due: { ...DUE, ...due },
    startedAt: NOW,
    url: "https://example.com",
    retryPolicy: null,
    sent: "{}",
    result: { ...noAnswer("internal", 12), result, status, ...over },
  };
}
const answered = (status: number) => ({ kind: "response", status }) as const;

describe("what a try makes of its delivery", () => {
  it("delivers it, with the next number and the job that did it", () => {
    expect(settlementOf(tried(answered(204)), DRAW)).toMatchObject({
      number: 4,
      step: 3,
      status: "delivered",
      outcome: "ok",
      errorCode: null,
      nextAttemptAt: null,
      jobId: "job-before",
      failureClass: null,
      attemptId: "fresh",
      durationMs: 12,
    });
  });

  it("plans the next try at an exact time under a new job", () => {
    const row = settlementOf(tried(answered(500)), DRAW);
    expect(row).toMatchObject({
      status: "pending",
      outcome: "retry",
      errorCode: "http_500",
      step: 3,
      jobId: "fresh",
    });
    // The third delay of the schedule is 125 s.
    expect(row.nextAttemptAt).toEqual(new Date(NOW.getTime() + 125_000));
  });

  it("scales every wait, that of Retry-After too", () => {
    const row = settlementOf(tried(answered(503), { retryAfter: "3600" }), { ...DRAW, retryScale: 0.001 });
    expect(row.nextAttemptAt).toEqual(new Date(NOW.getTime() + 3_600));
  });

  it("fails it when the schedule is used up", () => {
    expect(settlementOf(tried(answered(500), {}, { step: 9, attempts: 12 }), DRAW)).toMatchObject({
      status: "failed",
      failureClass: "exhausted",
      number: 13,
      nextAttemptAt: null,
      jobId: "job-before",
    });
  });

  it("fails it at once when no other answer will come", () => {
    expect(settlementOf(tried(answered(400)), DRAW)).toMatchObject({
      status: "failed",
      failureClass: "permanent",
    });
    expect(settlementOf(tried(answered(410)), DRAW)).toMatchObject({
      outcome: "disable",
      failureClass: "gone",
    });
    expect(settlementOf(tried({ kind: "error", code: "address_blocked" }), DRAW)).toMatchObject({
      status: "failed",
      failureClass: "blocked",
    });
  });

  it("uses up no step for a worker that was lost, however often", () => {
    const used = { step: 9, attempts: 40 };
    expect(settlementOf(tried({ kind: "error", code: "worker_lost" }, {}, used), DRAW)).toMatchObject({
      status: "pending",
      outcome: "lost",
      step: 9,
      number: 41,
      nextAttemptAt: NOW,
    });
    expect(settlementOf(tried({ kind: "error", code: "internal" }, {}, used), DRAW)).toMatchObject({
      status: "failed",
      failureClass: "exhausted",
      errorCode: "internal",
      step: 10,
    });
  });

  it("keeps what the receiver said", () => {
    const row = settlementOf(
      tried(answered(200), {
        headers: '{"content-type":"text/plain"}',
        body: Buffer.from("ok"),
        bodyTruncated: true,
      }),
      DRAW,
    );
    expect(row).toMatchObject({
      responseStatus: 200,
      responseHeaders: '{"content-type":"text/plain"}',
      responseBody: Buffer.from("ok"),
      responseTruncated: true,
    });
  });
});
