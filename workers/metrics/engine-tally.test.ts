import { Registry } from "prom-client";
import { uuidv7 } from "uuidv7";
import { expect, it } from "vitest";
import { OUTCOME_TABLE } from "#contracts/outcomes.ts";
import type { SettleRow } from "#db/queries/settle.ts";
import { lintExposition, parseExposition } from "#server/metrics/testing-exposition.ts";
import type { InHand } from "../delivery/observer.ts";
import { engineMetrics } from "./engine-metrics.ts";
import { EngineTally } from "./engine-tally.ts";
import { errorLabel } from "./error-label.ts";

const IDLE: InHand = {
  holdsLease: true,
  jobs: 0,
  deliveries: [],
  requests: { all: 0, hanging: 0 },
  lanes: [],
  unwritten: 0,
};

async function scrape(tally: EngineTally, inHand: InHand = IDLE) {
  const registry = new Registry();
  engineMetrics(registry, tally, () => inHand);
  return parseExposition(await registry.metrics());
}

const row = (over: Partial<SettleRow> = {}) =>
  ({
    deliveryId: uuidv7(),
    tenantId: uuidv7(),
    endpointId: uuidv7(),
    number: 1,
    trigger: "schedule",
    durationMs: 12,
    outcome: "ok",
    errorCode: null,
    status: "delivered",
    nextAttemptAt: null,
    failureClass: null,
    ...over,
  }) as SettleRow;

const written = (counted: SettleRow[], late = 0) => ({ counted, late, durationMs: 4 });

it("has as few series with a thousand endpoints that answer all there is as with one", async () => {
  const tally = new EngineTally();
  const errors = OUTCOME_TABLE.flatMap(({ errors = [] }) => errors);
  const statuses = Array.from({ length: 900 }, (_, at) => `http_${at + 100}`);
  const rows = Array.from({ length: 1_000 }, (_, at) => {
    const errorCode = [...errors, ...statuses][at % (errors.length + statuses.length)] ?? null;
    return row({ outcome: "retry", errorCode, status: "pending", nextAttemptAt: new Date() });
  });
  tally.written(written(rows));
  const lanes = rows.map(({ endpointId }) => ({
    key: endpointId,
    cap: 10,
    isHanging: true,
    isCrowded: true,
    inFlight: 1,
    waiting: [],
  }));
  const exposition = await scrape(tally, { ...IDLE, lanes });
  expect(exposition.samples.length).toBeLessThan(300);
  expect(exposition.value("posthorn_lanes", { state: "hanging" })).toBe(1_000);
  for (const { labels } of exposition.samples)
    expect(labels).not.toMatch(/[0-9a-f]{8}-|tenant|endpoint|url|https?:/);
  expect(lintExposition(exposition)).toEqual([]);
});

it("tells zeros before anything has happened", async () => {
  const exposition = await scrape(new EngineTally());
  expect(exposition.value("posthorn_attempts_total", { outcome: "ok", error_code: "none" })).toBe(0);
  expect(
    exposition.value("posthorn_deliveries_ended_total", { status: "failed", failure_class: "exhausted" }),
  ).toBe(0);
  expect(exposition.value("posthorn_delivery_latency_seconds_count", { try: "first" })).toBe(0);
  expect(lintExposition(exposition)).toEqual([]);
});

it("counts a delivery as ended when nothing follows, and its latency from when it was made", async () => {
  const tally = new EngineTally();
  tally.written(
    written(
      [
        row(),
        row({ number: 3 }),
        row({ trigger: "replay" }),
        row({ outcome: "retry", errorCode: "timeout", status: "pending", nextAttemptAt: new Date() }),
        row({ outcome: "permanent", errorCode: "http_400", status: "failed", failureClass: "permanent" }),
        // Cancelled while its request was under way.
        row({ outcome: "retry", errorCode: "http_500", status: "pending" }),
      ],
      2,
    ),
  );
  const { value } = await scrape(tally);
  expect(value("posthorn_deliveries_ended_total", { status: "delivered", failure_class: "none" })).toBe(3);
  expect(value("posthorn_deliveries_ended_total", { status: "failed", failure_class: "permanent" })).toBe(1);
  expect(value("posthorn_retries_scheduled_total")).toBe(1);
  expect(value("posthorn_results_late_total")).toBe(2);
  expect(value("posthorn_settle_batch_results_sum")).toBe(8);
  expect(value("posthorn_delivery_latency_seconds_count", { try: "first" })).toBe(1);
  expect(value("posthorn_delivery_latency_seconds_count", { try: "later" })).toBe(1);
  expect(value("posthorn_attempt_duration_seconds_sum", { outcome: "ok" })).toBeCloseTo(0.036);
  expect(value("posthorn_attempt_duration_seconds_bucket", { outcome: "ok", le: "0.01" })).toBe(0);
  expect(value("posthorn_attempt_duration_seconds_bucket", { outcome: "ok", le: "0.025" })).toBe(3);
});

it.each([
  [null, "none"],
  ["timeout", "timeout"],
  ["http_410", "http_410"],
  ["http_418", "http_4xx"],
  ["http_599", "http_5xx"],
])("has %s as the label %s", (errorCode, label) => expect(errorLabel(errorCode)).toBe(label));
