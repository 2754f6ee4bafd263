import { describe, expect, it } from "vitest";
import { latencyClass } from "#server/domain/latency.ts";
import { minutesOf } from "./minutes-of.ts";

const MINUTE = new Date("2026-11-21T09:30:00.000Z");
const tried = (over: Partial<Parameters<typeof minutesOf>[0][number]> = {}) => ({
  tenantId: "t1",
  endpointId: "e1",
  startedAt: new Date(MINUTE.getTime() + 59_999),
  durationMs: 40,
  outcome: "ok",
  errorCode: null,
  responseStatus: 200,
  ...over,
});

describe("minutesOf", () => {
  it("counts tries by endpoint and by the minute in which they began, always in one order", () => {
    const tries = [
      tried({ tenantId: "t2" }),
      tried({ startedAt: new Date(MINUTE.getTime() + 60_000) }),
      tried({ endpointId: "e2" }),
      tried(),
      tried({ startedAt: MINUTE }),
    ];
    const shown = minutesOf(tries).map((row) => [
      row.tenantId,
      row.endpointId,
      +row.minute - +MINUTE,
      row.attempts,
    ]);
    expect(shown).toEqual([
      ["t1", "e1", 0, 2],
      ["t1", "e1", 60_000, 1],
      ["t1", "e2", 0, 1],
      ["t2", "e1", 0, 1],
    ]);
    expect(minutesOf(tries.toReversed())).toEqual(minutesOf(tries));
  });

  it("counts the latencies of answers and timeouts, and of nothing else", () => {
    const [minute] = minutesOf([
      tried(),
      tried({ outcome: "retry", errorCode: "http_500", responseStatus: 500, durationMs: 90 }),
      tried({ outcome: "retry", errorCode: "timeout", responseStatus: null, durationMs: 15_000 }),
      tried({ outcome: "retry", errorCode: "connection_refused", responseStatus: null, durationMs: 1 }),
      tried({ outcome: "lost", errorCode: "worker_lost", responseStatus: null, durationMs: 5_000 }),
    ]);
    expect(minute).toMatchObject({ attempts: 4, succeeded: 1 });
    const counted = minute?.latencies.flatMap((count, index) => (count > 0 ? [[index, count]] : []));
    expect(counted).toEqual([40, 90, 15_000].map((ms) => [latencyClass(ms), 1]));
  });

  it("has nothing to add for tries that were lost or failed on our side", () => {
    const ours = tried({ outcome: "retry", errorCode: "internal", responseStatus: null });
    expect(minutesOf([tried({ outcome: "lost" }), ours])).toEqual([]);
  });
});
