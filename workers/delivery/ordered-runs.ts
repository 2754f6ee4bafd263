import { setTimeout as delay } from "node:timers/promises";
import type { PgBoss } from "pg-boss";
import { type Db, type Tx, withTransaction } from "#db/client.ts";
import { isPassing } from "#db/database-errors.ts";
import { holdDeliveries } from "#db/queries/holding.ts";
import type { DueDelivery } from "#db/queries/list-due.ts";
import type { Logger } from "#server/log/logger.ts";
import { queueDeliveries } from "#server/ordered/queue-deliveries.ts";
import type { ClaimedJob } from "./claim-jobs.ts";
import { endRun, formRun, type Run } from "./ordered-run.ts";
import type { Chunk } from "./types.ts";

export interface OrderedRunsDeps {
  db: Db;
  boss: PgBoss;
  log: Logger;
  worker(): number;
  /** Tries of a vanished worker were logged. */
  onLost(tries: number): void;
  /** The queue of an endpoint may be looked at from that moment on. */
  onReady(at: Date): void;
  /** A run is over, and its job is done. */
  onEnded(chunk: Chunk): void;
  /** Whether nobody waits for anything any more. */
  isStopping(): boolean;
}

const AGAIN_AFTER_MS = 250;

/** The runs of ordered endpoints in the hands of this worker: how they begin and end, and what joins their queues. */
export class OrderedRuns {
  readonly #deps: OrderedRunsDeps;
  readonly #underWay = new Set<Promise<void>>();

  constructor(deps: OrderedRunsDeps) {
    this.#deps = deps;
  }

  /** Begins the run of a job that was taken; gives it with the deliveries that it is of, in their order. */
  async begin(job: ClaimedJob): Promise<{ run: Run; deliveryIds: string[] } | undefined> {
    if (!job.ordered) return undefined;
    const { db, boss, worker, onLost } = this.#deps;
    const { endpointId } = job.ordered;
    // What has lost a worker goes on one by one, so that a delivery that ends workers is told from those behind it.
    const size = job.retryCount > 0 ? 1 : job.ordered.size;
    const deps = { boss, worker: worker() };
    const { ids, lostTries } = await withTransaction(db, (tx) =>
      formRun(tx, deps, { ...job, endpointId, size }),
    );
    if (lostTries > 0) onLost(lostTries);
    const run = { tenantId: job.tenantId, endpointId, size, hasFailed: false, notBefore: 0 };
    return { run, deliveryIds: ids };
  }

  /** Ends a run whose results are written. */
  end(chunk: Chunk, run: Run): void {
    const { boss, onReady, onEnded } = this.#deps;
    this.#soon(
      (tx) => endRun(tx, boss, chunk, run),
      (at) => {
        onEnded(chunk);
        if (at) onReady(at);
      },
    );
  }

  /** Lets deliveries that some other job was to send take their places in the queues of their endpoints, and wait there. */
  join(found: readonly DueDelivery[], onJoined: () => void): void {
    const { boss, onReady } = this.#deps;
    this.#soon(
      async (tx) => {
        for (const [tenantId, mine] of Map.groupBy(found, (due) => due.tenantId))
          await queueDeliveries(
            tx,
            boss,
            tenantId,
            mine.flatMap(({ id, endpointId, sequence }) =>
              sequence === null ? [] : [{ deliveryId: id, endpointId, sequence }],
            ),
          );
        await holdDeliveries(tx, found);
      },
      () => {
        onJoined();
        onReady(new Date(0));
      },
    );
  }

  /** Settles when nothing is being written. */
  async idle(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.all(this.#underWay);
  }

  /** Runs a transaction until it succeeds; one that cannot leaves its job to the expiry. */
  #soon<T>(work: (tx: Tx) => Promise<T>, onDone: (result: T) => void): void {
    const doing = this.#untilDone(work)
      .then(onDone)
      .catch((err: unknown) => this.#deps.log.error({ err }, "the queue of an ordered endpoint was left"))
      .finally(() => this.#underWay.delete(doing));
    this.#underWay.add(doing);
  }

  async #untilDone<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    for (;;)
      try {
        return await withTransaction(this.#deps.db, work);
      } catch (error) {
        if (!isPassing(error) || this.#deps.isStopping()) throw error;
        await delay(AGAIN_AFTER_MS);
      }
  }
}
