import type { Registry } from "prom-client";
import { registerRead } from "#server/metrics/tally.ts";
import type { InHand } from "../delivery/observer.ts";
import type { EngineTally } from "./engine-tally.ts";

/** Figures of one worker's engine: what it has done since it started, and what it has in hand at the scrape. */
export function engineMetrics(registry: Registry, tally: EngineTally, inHand: () => InHand): void {
  doneMetrics(registry, tally);
  durationMetrics(registry, tally);
  inHandMetrics(registry, inHand);
}

function doneMetrics(registry: Registry, tally: EngineTally): void {
  const counter = (name: string, help: string, read: () => number) =>
    registerRead(registry, { name, help }, "counter", () => [{ value: read() }]);

  registerRead(
    registry,
    {
      name: "posthorn_attempts_total",
      help: "Tries that are in the log, by outcome and error code; statuses that mean nothing of their own by class.",
    },
    "counter",
    () => tally.attempts.samples(),
  );
  registerRead(
    registry,
    {
      name: "posthorn_deliveries_ended_total",
      help: "Deliveries that have come to their end by a try, by status and, when failed, by class of failure.",
    },
    "counter",
    () => tally.ended.samples(),
  );
  registerRead(
    registry,
    { name: "posthorn_jobs_claimed_total", help: "Jobs that were taken, by queue." },
    "counter",
    () => tally.claims.samples(),
  );
  registerRead(
    registry,
    {
      name: "posthorn_deliveries_moved_total",
      help: "Deliveries that were put off or given back unsent, by the queue that they went to.",
    },
    "counter",
    () => tally.moves.samples(),
  );
  counter("posthorn_retries_scheduled_total", "Retries that were stored.", () => tally.retries);
  counter(
    "posthorn_results_late_total",
    "Results that came when their deliveries had been given to others.",
    () => tally.lateResults,
  );
  counter(
    "posthorn_settle_failures_total",
    "Batches of results that could not be written at a first or further time.",
    () => tally.failedBatches,
  );
  counter("posthorn_jobs_swept_total", "Jobs of vanished workers that were put back.", () => tally.sweptJobs);
  counter("posthorn_lease_renewals_total", "Times that the lease was taken anew.", () => tally.renewals);
  counter(
    "posthorn_strays_total",
    "Due deliveries without a job that the reconciler has found and given one.",
    () => tally.strays,
  );
  registerRead(
    registry,
    {
      name: "posthorn_clock_skew_seconds",
      help: "How far this machine's clock is ahead of the database's; negative when it is behind.",
    },
    "gauge",
    () => [{ value: tally.clockSkewMs / 1000 }],
  );
}

function durationMetrics(registry: Registry, tally: EngineTally): void {
  const attempt = {
    name: "posthorn_attempt_duration_seconds",
    help: "How long tries took, by outcome.",
  };
  registerRead(registry, attempt, "histogram", () =>
    [...tally.attemptSeconds].flatMap(([outcome, seconds]) => seconds.samples(attempt.name, { outcome })),
  );
  const latency = {
    name: "posthorn_delivery_latency_seconds",
    help: "From the publishing of an event to its delivery, replays aside, by whether the first try did it.",
  };
  registerRead(registry, latency, "histogram", () =>
    (["first", "later"] as const).flatMap((by) =>
      tally.latencySeconds[by].samples(latency.name, { try: by }),
    ),
  );
  const settle = {
    name: "posthorn_settle_duration_seconds",
    help: "How long it took to write a batch of results.",
  };
  registerRead(registry, settle, "histogram", () => tally.settleSeconds.samples(settle.name));
  const batch = { name: "posthorn_settle_batch_results", help: "Results that were written together." };
  registerRead(registry, batch, "histogram", () => tally.settleResults.samples(batch.name));
}

function inHandMetrics(registry: Registry, inHand: () => InHand): void {
  const gauge = (name: string, help: string, read: (now: InHand) => number) =>
    registerRead(registry, { name, help }, "gauge", () => [{ value: read(inHand()) }]);

  gauge("posthorn_lease_held", "1 while this worker may take and send, else 0.", ({ holdsLease }) =>
    holdsLease ? 1 : 0,
  );
  gauge("posthorn_jobs_held", "Jobs in the hands of this worker.", ({ jobs }) => jobs);
  gauge("posthorn_results_unwritten", "Results that wait to be written.", ({ unwritten }) => unwritten);
  registerRead(
    registry,
    {
      name: "posthorn_deliveries_held",
      help: "Deliveries that wait in this worker or are being sent, by queue; those that hang do not count.",
    },
    "gauge",
    () => inHand().deliveries.map(({ queue, count }) => ({ labels: { queue }, value: count })),
  );
  registerRead(
    registry,
    {
      name: "posthorn_requests_in_flight",
      help: "Requests under way: quick, or hanging for more than a second.",
    },
    "gauge",
    () => {
      const { all, hanging } = inHand().requests;
      return [
        { labels: { pace: "quick" }, value: all - hanging },
        { labels: { pace: "hanging" }, value: hanging },
      ];
    },
  );
  registerRead(
    registry,
    {
      name: "posthorn_lanes",
      help: "Endpoints that this worker has or lately had something for, by state; one may hang and be crowded.",
    },
    "gauge",
    () => lanesByState(inHand()),
  );
}

function lanesByState({ lanes }: InHand) {
  const count = { open: 0, busy: 0, hanging: 0, crowded: 0 };
  for (const lane of lanes) {
    count.open++;
    if (lane.inFlight + lane.waiting.length > 0) count.busy++;
    if (lane.isHanging) count.hanging++;
    if (lane.isCrowded) count.crowded++;
  }
  return Object.entries(count).map(([state, value]) => ({ labels: { state }, value }));
}
