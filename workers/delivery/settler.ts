import { setTimeout as delay } from "node:timers/promises";
import type { PgBoss } from "pg-boss";
import { type Db, type Tx, withTransaction } from "#db/client.ts";
import { isPassing } from "#db/database-errors.ts";
import { deleteClaims } from "#db/queries/claims.ts";
import { cancelDeliveries } from "#db/queries/delivering.ts";
import { addToMinutes } from "#db/queries/endpoint-minutes.ts";
import type { DueDelivery } from "#db/queries/list-due.ts";
import { completeLostTries, logAttempts, type SettleRow, settleDeliveries } from "#db/queries/settle.ts";
import type { Logger } from "#server/log/logger.ts";
import { enqueueDeliveries, within } from "#server/queue/boss.ts";
import { QUEUES } from "#server/queue/queues.ts";
import type { Aftermath } from "./aftermath.ts";
import { holdOrRequeue } from "./hold.ts";
import { minutesOf } from "./minutes-of.ts";
import type { EngineObserver, WrittenResults } from "./observer.ts";
import type { Result } from "./settlement.ts";
import type { Chunk } from "./types.ts";

export interface SettlerDeps {
  db: Db;
  boss: PgBoss;
  log: Logger;
  /** The number of this worker, for the log of attempts. */
  worker(): number;
  aftermath: Pick<Aftermath, "store">;
  /** Told what has been committed. */
  onWritten(written: Written): void;
  observer?: EngineObserver | undefined;
}

export interface Written extends WrittenResults {
  /** When the retries that were stored are due. */
  retriesAt: Date[];
  /** Jobs that are done. */
  done: readonly Chunk[];
}

interface Batch {
  rows: Result[];
  cancelled: DueDelivery[];
  held: DueDelivery[];
  done: Chunk[];
}

const FLUSH_AFTER_MS = 5;
const FLUSH_AT = 200;
const AGAIN_AFTER_MS = 250;

const emptyBatch = (): Batch => ({ rows: [], cancelled: [], held: [], done: [] });
const sizeOf = ({ rows, cancelled, held, done }: Batch) =>
  rows.length + cancelled.length + held.length + done.length;

/**
 * Writes results in batches, every 5 ms or 200 results, one batch at a time, each in one transaction: attempts,
 * deliveries, retries, finished jobs and their claims, figures of endpoints, and what follows for them. While the database is away results wait
 * here. A batch whose COMMIT had no answer is written again: by then no delivery waits for these tries any more, so it
 * changes nothing.
 */
export class Settler {
  readonly #deps: SettlerDeps;
  #next = emptyBatch();
  #writing = emptyBatch();
  #timer: NodeJS.Timeout | undefined;
  #flushing: Promise<void> | undefined;
  #isClosed = false;

  constructor(deps: SettlerDeps) {
    this.#deps = deps;
  }

  /** Results that are not written yet. */
  get pending(): number {
    return this.#next.rows.length + this.#writing.rows.length;
  }

  settle(row: Result, chunk: Chunk): void {
    this.#next.rows.push(row);
    this.close(chunk);
  }

  /** Closes a delivery whose endpoint takes none any more. */
  cancel(due: DueDelivery, chunk: Chunk): void {
    this.#next.cancelled.push(due);
    this.close(chunk);
  }

  /** Puts a delivery aside whose endpoint is paused. */
  hold(due: DueDelivery, chunk: Chunk): void {
    this.#next.held.push(due);
    this.close(chunk);
  }

  /** One delivery of the chunk is no longer this job's affair; with the last one the job is done. */
  close(chunk: Chunk): void {
    chunk.open--;
    if (chunk.open === 0) this.#next.done.push(chunk);
    this.#schedule();
  }

  /** A job that held nothing to do. */
  finish(chunk: Chunk): void {
    this.#next.done.push(chunk);
    this.#schedule();
  }

  /**
   * Writes everything there is and closes; what is not written by `deadline`, on the clock of `performance.now()`, is
   * given up: gives how many results that were. Their jobs are handed out again when the worker is gone.
   */
  async drain(deadline: number): Promise<number> {
    while (this.#flushing !== undefined || sizeOf(this.#next) > 0) {
      this.#flush();
      const leftMs = deadline - performance.now();
      if (leftMs <= 0) break;
      await Promise.race([this.#flushing, delay(leftMs, undefined, { ref: false })]);
    }
    this.#isClosed = true;
    return this.pending;
  }

  #schedule(): void {
    if (this.#isClosed) return;
    if (this.#next.rows.length >= FLUSH_AT) this.#flush();
    else this.#timer ??= setTimeout(() => this.#flush(), FLUSH_AFTER_MS);
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#flushing !== undefined || sizeOf(this.#next) === 0) return;
    this.#writing = this.#next;
    this.#next = emptyBatch();
    this.#flushing = this.#write(this.#writing).finally(() => {
      this.#writing = emptyBatch();
      this.#flushing = undefined;
      if (sizeOf(this.#next) > 0) this.#schedule();
    });
  }

  async #write(batch: Batch): Promise<void> {
    for (;;) {
      const beganAt = performance.now();
      try {
        const stored = await withTransaction(this.#deps.db, (tx) => this.#store(tx, batch));
        const durationMs = performance.now() - beganAt;
        return this.#deps.onWritten({ ...stored, done: batch.done, durationMs });
      } catch (error) {
        const { log } = this.#deps;
        this.#deps.observer?.notWritten();
        if (!isPassing(error)) {
          log.error({ err: error, results: batch.rows.length }, "settling failed");
          return batch.rows.length > 1 ? this.#writeApart(batch) : this.#giveUp(batch);
        }
        log.warn({ err: error, results: batch.rows.length }, "results wait for the database");
        if (this.#isClosed) return;
        await delay(AGAIN_AFTER_MS);
      }
    }
  }

  /** One bad result must not hold up the others: each goes in a transaction of its own, the finished jobs last. */
  async #writeApart({ rows, ...rest }: Batch): Promise<void> {
    for (const row of rows) await this.#write({ ...emptyBatch(), rows: [row] });
    await this.#write({ rows: [], ...rest });
  }

  /** What cannot be written at all is logged; its delivery stays pending and the reconciler hands it out again. */
  #giveUp(batch: Batch): void {
    const deliveries = batch.rows.map((row) => row.deliveryId);
    this.#deps.log.fatal({ deliveries, jobs: batch.done.length }, "results could not be stored");
  }

  async #store(
    tx: Tx,
    { rows, cancelled, held, done }: Batch,
  ): Promise<Pick<Written, "retriesAt" | "counted" | "late">> {
    const counting = rows.length > 0 ? await this.#storeResults(tx, rows) : [];
    const retriesAt = await this.#storeRetries(tx, counting);
    if (cancelled.length > 0) await cancelDeliveries(tx, cancelled);
    if (held.length > 0) await holdOrRequeue(tx, this.#deps.boss, held);
    if (done.length > 0) await this.#finishJobs(tx, done);
    const minutes = minutesOf(counting);
    if (minutes.length > 0) await addToMinutes(tx, minutes, new Date());
    if (counting.length > 0) await this.#deps.aftermath.store(tx, counting);
    return { retriesAt, counted: counting, late: rows.length - counting.length };
  }

  /** Writes attempts and what they make of their deliveries; gives those that counted. */
  async #storeResults(tx: Tx, rows: readonly Result[]): Promise<Result[]> {
    const { worker, log } = this.#deps;
    // In one order everywhere, so that two transactions wait for each other's rows and never in a circle.
    const inOrder = rows.toSorted((a, b) => (a.deliveryId < b.deliveryId ? -1 : 1));
    const settled = await settleDeliveries(tx, inOrder);
    const counting: SettleRow[] = [];
    const late: SettleRow[] = [];
    for (const row of inOrder) {
      const became = settled.get(row.deliveryId);
      if (became?.attempts !== row.number) {
        late.push(row);
        continue;
      }
      // One result counts, should there ever be two of one try.
      settled.delete(row.deliveryId);
      const isLast = became.status !== "pending" && row.nextAttemptAt !== null;
      counting.push(isLast ? { ...row, nextAttemptAt: null } : row);
    }
    if (counting.length > 0) await logAttempts(tx, worker(), counting);
    if (late.length > 0) {
      await completeLostTries(tx, late);
      tx.afterCommit(() =>
        log.warn({ results: late.length }, "results came after their deliveries had been given to others"),
      );
    }
    return counting;
  }

  /** Stores the jobs of retries; gives when they are due. */
  async #storeRetries(tx: Tx, counting: readonly SettleRow[]): Promise<Date[]> {
    const jobs = counting.flatMap(({ deliveryId, tenantId, jobId, nextAttemptAt, waitsInQueue }) =>
      nextAttemptAt && !waitsInQueue
        ? [{ id: jobId, tenantId, deliveryIds: [deliveryId], startAfter: nextAttemptAt }]
        : [],
    );
    await enqueueDeliveries(this.#deps.boss, tx, QUEUES.deliverRetry.name, jobs);
    return jobs.map((job) => job.startAfter);
  }

  async #finishJobs(tx: Tx, all: readonly Chunk[]): Promise<void> {
    // The job of an ordered endpoint is followed by its next one, by who knows of its queue.
    const done = all.filter((chunk) => !chunk.run);
    // Fenced by the retry count: a job that was handed out again meanwhile is left to who has it now.
    for (const [queue, chunks] of Map.groupBy(done, (chunk) => chunk.queue))
      await this.#deps.boss.deleteJob(
        queue,
        chunks.map(({ id, retryCount }) => ({ id, retryCount })),
        within(tx),
      );
    await deleteClaims(
      tx,
      done.map((chunk) => chunk.id),
    );
  }
}
