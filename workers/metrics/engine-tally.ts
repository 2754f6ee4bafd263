import { FAILURE_CLASSES, OUTCOMES } from "#contracts/deliveries.ts";
import { uuidTimeMs } from "#contracts/ids.ts";
import type { SettleRow } from "#db/queries/settle.ts";
import { Distribution, Tally } from "#server/metrics/tally.ts";
import { DELIVERY_QUEUE_NAMES, type DeliveryQueue } from "#server/queue/queues.ts";
import type { EngineObserver, WrittenResults } from "../delivery/observer.ts";
import { errorLabel } from "./error-label.ts";

const ATTEMPT_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 30];
// Up to the whole retry schedule: about three days.
const LATENCY_SECONDS = [
  0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800, 7200, 21_600, 86_400, 259_200,
];
const SETTLE_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30];
const SETTLE_RESULTS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000];

/** Counts what a worker does, from its start on: after each commit, so that the figures are those of the database. */
export class EngineTally implements EngineObserver {
  readonly attempts = new Tally("outcome", "error_code");
  readonly ended = new Tally("status", "failure_class");
  readonly claims = new Tally("queue");
  readonly moves = new Tally("queue");
  /** In seconds, by outcome. */
  readonly attemptSeconds = new Map<string, Distribution>();
  /** In seconds, from the event to its delivery: by the first try, and by a later one. */
  readonly latencySeconds = {
    first: new Distribution(LATENCY_SECONDS),
    later: new Distribution(LATENCY_SECONDS),
  };
  readonly settleSeconds = new Distribution(SETTLE_SECONDS);
  readonly settleResults = new Distribution(SETTLE_RESULTS);
  retries = 0;
  lateResults = 0;
  failedBatches = 0;
  sweptJobs = 0;
  renewals = 0;
  strays = 0;
  clockSkewMs = 0;

  constructor() {
    // A rate needs to have seen a 0 before the first.
    for (const outcome of OUTCOMES) this.#durations(outcome);
    this.attempts.add(0, "ok", errorLabel(null));
    this.attempts.add(0, "lost", "worker_lost");
    this.ended.add(0, "delivered", "none");
    for (const failureClass of FAILURE_CLASSES) this.ended.add(0, "failed", failureClass);
    for (const queue of DELIVERY_QUEUE_NAMES) {
      this.claims.add(0, queue);
      this.moves.add(0, queue);
    }
  }

  claimed(queue: DeliveryQueue, jobs: number): void {
    this.claims.add(jobs, queue);
  }

  moved(queue: DeliveryQueue, deliveries: number): void {
    this.moves.add(deliveries, queue);
  }

  written({ counted, late, durationMs }: WrittenResults): void {
    const results = counted.length + late;
    this.settleSeconds.observe(durationMs / 1000);
    if (results > 0) this.settleResults.observe(results);
    this.lateResults += late;
    const now = Date.now();
    for (const row of counted) this.#count(row, now);
  }

  notWritten(): void {
    this.failedBatches++;
  }

  lost(tries: number): void {
    this.attempts.add(tries, "lost", "worker_lost");
  }

  swept(jobs: number): void {
    this.sweptJobs += jobs;
  }

  renewed(): void {
    this.renewals++;
  }

  skewed(skewMs: number): void {
    this.clockSkewMs = skewMs;
  }

  /** The reconciler found due deliveries that had no job. */
  strayed(deliveries: number): void {
    this.strays += deliveries;
  }

  #count(row: SettleRow, now: number): void {
    this.attempts.add(1, row.outcome, errorLabel(row.errorCode));
    this.#durations(row.outcome).observe(row.durationMs / 1000);
    if (row.nextAttemptAt) this.retries++;
    else if (row.status !== "pending") this.ended.add(1, row.status, row.failureClass ?? "none");
    // What somebody sends again is as late as he decides it.
    if (row.status === "delivered" && row.trigger === "schedule")
      this.latencySeconds[row.number === 1 ? "first" : "later"].observe(
        Math.max(0, now - uuidTimeMs(row.deliveryId)) / 1000,
      );
  }

  #durations(outcome: string): Distribution {
    let durations = this.attemptSeconds.get(outcome);
    if (!durations) {
      durations = new Distribution(ATTEMPT_SECONDS);
      this.attemptSeconds.set(outcome, durations);
    }
    return durations;
  }
}
