import { expect, it, onTestFinished } from "vitest";
import { startWorkerServer } from "#server/http/worker-server.ts";
import { lintExposition, parseExposition } from "#server/metrics/testing-exposition.ts";
import { NO_TRACER } from "#server/tracing/tracer.ts";
import { engineFor } from "#tests/engine-for.ts";
import { eventually } from "#tests/eventually.ts";
import { openReceiver } from "../delivery/fixtures/http-receiver.ts";
import { closedPort } from "../delivery/fixtures/receivers.ts";
import type { TestEngine } from "../delivery/test-support.ts";
import { EngineTally } from "./engine-tally.ts";
import { observeWorker } from "./observe-worker.ts";

const TOKEN = "t0ken-of-the-scraper";

let engine: TestEngine;
engineFor("all", (opened) => {
  engine = opened;
});

async function observedWorker() {
  const tally = new EngineTally();
  const worker = await engine.startWorker({ observer: tally, retryScale: 1e-6 });
  const metrics = observeWorker({ db: engine.db, tracer: NO_TRACER }, tally, () => worker.inHand());
  const server = await startWorkerServer({
    host: "127.0.0.1",
    port: 0,
    log: engine.log,
    token: TOKEN,
    metrics,
    holdsLease: () => worker.inHand().holdsLease,
  });
  onTestFinished(() => server.close());
  const get = (path: string, headers = { authorization: `Bearer ${TOKEN}` }) =>
    fetch(`http://127.0.0.1:${server.port}${path}`, { headers });
  return { get, scrape: async () => parseExposition(await (await get("/metrics")).text()) };
}

it("tells what a worker does as the database has it, while it delivers, fails and hangs", async () => {
  const good = await openReceiver();
  const bad = await openReceiver((request) => request.answer(422));
  const slow = await openReceiver(() => {});
  await engine.addEndpoint({ url: good.origin, eventTypes: ["good"] });
  await engine.addEndpoint({ url: bad.origin, eventTypes: ["bad"] });
  await engine.addEndpoint({ url: slow.origin, eventTypes: ["slow"], timeoutMs: 30_000 });
  await engine.addEndpoint({ url: `http://127.0.0.1:${await closedPort()}/`, eventTypes: ["dead"] });
  await engine.publish("good", 120);
  await engine.publish("bad", 7);
  await engine.publish("dead", 2);
  await engine.publish("slow", 3);
  const { scrape } = await observedWorker();

  // Three hang; the dead ones end after their last try.
  await eventually(async () => {
    expect(await engine.statuses()).toEqual({ delivered: 120, failed: 9, pending: 3 });
    const { value } = await scrape();
    expect(value("posthorn_requests_in_flight", { pace: "hanging" })).toBe(3);
    expect(value("posthorn_lanes", { state: "hanging" })).toBe(1);
    expect(value("posthorn_results_unwritten")).toBe(0);
  });
  const exposition = await scrape();
  const { value } = exposition;
  expect(lintExposition(exposition)).toEqual([]);
  expect(exposition.samples.length).toBeLessThan(400);
  expect(value("posthorn_lease_held")).toBe(1);
  expect(value("posthorn_jobs_held")).toBeGreaterThanOrEqual(1);

  const logged = await engine.db.query<{ outcome: string; code: string; tries: number; seconds: number }>(
    `select outcome, coalesce(error_code, 'none') as code, count(*)::int as tries, sum(duration_ms) / 1000 as seconds
       from attempts group by 1, 2`,
  );
  expect(logged.length).toBe(3);
  for (const { outcome, code, tries } of logged)
    expect(value("posthorn_attempts_total", { outcome, error_code: code }), code).toBe(tries);
  for (const [outcome, rows] of Map.groupBy(logged, (row) => row.outcome)) {
    const sum = rows.reduce((seconds, row) => seconds + Number(row.seconds), 0);
    expect(value("posthorn_attempt_duration_seconds_sum", { outcome })).toBeCloseTo(sum, 2);
  }
  const retries = logged.find(({ outcome }) => outcome === "retry")?.tries ?? 0;
  expect(value("posthorn_retries_scheduled_total")).toBe(retries - 2);
  const ended = (status: string, failure_class: string) =>
    value("posthorn_deliveries_ended_total", { status, failure_class });
  expect([ended("delivered", "none"), ended("failed", "permanent"), ended("failed", "exhausted")]).toEqual([
    120, 7, 2,
  ]);
  expect(value("posthorn_delivery_latency_seconds_count", { try: "first" })).toBe(120);
  const [{ latency } = { latency: 0 }] = await engine.db.query<{ latency: number }>(
    "select sum(extract(epoch from delivered_at - created_at))::float8 as latency from deliveries where status = 'delivered'",
  );
  // The commit is later than the time that the row carries, by less than a second.
  expect(value("posthorn_delivery_latency_seconds_sum", { try: "first" })).toBeGreaterThan(latency - 0.2);
  expect(value("posthorn_settle_batch_results_sum")).toBe(129 - 2 + retries);
  expect(value("posthorn_jobs_claimed_total", { queue: "deliver-retry" })).toBeGreaterThanOrEqual(1);

  for (const request of slow.received) request.answer(200);
  await eventually(async () => {
    const after = await scrape();
    expect(after.value("posthorn_attempts_total", { outcome: "ok", error_code: "none" })).toBe(123);
    expect(after.value("posthorn_requests_in_flight", { pace: "hanging" })).toBe(0);
    expect(after.value("posthorn_jobs_held")).toBe(0);
  });
});

it("answers for its figures to whoever has the token, and for its health to all", async () => {
  const { get } = await observedWorker();
  const none = { authorization: "" };
  const status = async (path: string, headers?: { authorization: string }) =>
    (await get(path, headers)).status;
  expect(await status("/metrics", none)).toBe(401);
  expect(await status("/metrics", { authorization: "Bearer other" })).toBe(401);
  expect([await status("/metrics"), await status("/healthz", none), await status("/api/v1/orders")]).toEqual([
    200, 200, 404,
  ]);
  const ready = await get("/readyz", none);
  expect([ready.status, await ready.json()]).toMatchObject([
    200,
    { status: "ready", holds_lease: true, delivering: { status: "ok", workers: 1 } },
  ]);
});
