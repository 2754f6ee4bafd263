import type { PgBoss } from "pg-boss";
import { type Db, isConnectionError, type Tx, withTransaction } from "#db/client.ts";
import { deleteClaims } from "#db/queries/claims.ts";
import { cancelDeliveries, completeLostTry, type SettleRow, settleAttempts } from "#db/queries/settle.ts";
import { disableEndpoint } from "#server/deliveries/disable-endpoint.ts";
import type { Logger } from "#server/log/logger.ts";
import { enqueueDeliveries, within } from "#server/queue/boss.ts";
import { QUEUES } from "#server/queue/queues.ts";
import type { Chunk, Task } from "./types.ts";

export interface SettlerDeps {
  db: Db;
  boss: PgBoss;
  log: Logger;
  /** The number that this worker's claims carry now. */
  worker(): number;
  /** Told when a retry has been stored, so that it is fetched on time. */
  onRetry(at: Date): void;
}

interface Batch {
  rows: SettleRow[];
  cancelled: Task[];
  done: Chunk[];
}

const FLUSH_AFTER_MS = 5;
const FLUSH_AT = 200;
const AGAIN_AFTER_MS = 250;

const emptyBatch = (): Batch => ({ rows: [], cancelled: [], done: [] });

/**
 * Writes results in batches, every 5 ms or 200 results, one batch at a time, each in one transaction: attempts,
 * deliveries, retries, finished jobs and their claims. While the database is away results wait here.
 */
export class Settler {
  readonly #deps: SettlerDeps;
  #next = emptyBatch();
  #timer: NodeJS.Timeout | undefined;
  #flushing: Promise<void> | undefined;

  constructor(deps: SettlerDeps) {
    this.#deps = deps;
  }

  /** Results that are not written yet. */
  get pending(): number {
    return this.#next.rows.length;
  }

  settle(row: SettleRow, chunk: Chunk): void {
    this.#next.rows.push(row);
    this.close(chunk);
  }

  /** Closes a delivery whose endpoint takes none any more. */
  cancel(task: Task): void {
    this.#next.cancelled.push(task);
    this.close(task.chunk);
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

  /** Writes everything there is; settles when it is written. */
  async drain(): Promise<void> {
    while (this.#flushing !== undefined || !isEmpty(this.#next)) {
      this.#flush();
      await this.#flushing;
    }
  }

  #schedule(): void {
    if (this.#next.rows.length >= FLUSH_AT) this.#flush();
    else this.#timer ??= setTimeout(() => this.#flush(), FLUSH_AFTER_MS);
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#flushing !== undefined || isEmpty(this.#next)) return;
    const batch = this.#next;
    this.#next = emptyBatch();
    this.#flushing = this.#write(batch).finally(() => {
      this.#flushing = undefined;
      if (!isEmpty(this.#next)) this.#schedule();
    });
  }

  async #write(batch: Batch): Promise<void> {
    for (;;) {
      try {
        await withTransaction(this.#deps.db, (tx) => this.#store(tx, batch));
        break;
      } catch (error) {
        const away = isConnectionError(error);
        this.#deps.log.error(
          { err: error, results: batch.rows.length },
          away ? "database away, results wait" : "settling failed",
        );
        if (!away && batch.rows.length > 1) return this.#writeApart(batch);
        if (!away) return this.#giveUp(batch);
        await new Promise((resolve) => setTimeout(resolve, AGAIN_AFTER_MS));
      }
    }
    for (const row of batch.rows) if (row.nextAttemptAt) this.#deps.onRetry(row.nextAttemptAt);
  }

  /** One bad result must not hold up the others: each goes in a transaction of its own, the finished jobs last. */
  async #writeApart({ rows, cancelled, done }: Batch): Promise<void> {
    for (const row of rows) await this.#write({ ...emptyBatch(), rows: [row] });
    await this.#write({ rows: [], cancelled, done });
  }

  /** What cannot be written at all is logged; its delivery stays pending and the reconciler hands it out again. */
  #giveUp(batch: Batch): void {
    const deliveries = batch.rows.map((row) => row.deliveryId);
    this.#deps.log.fatal({ deliveries, jobs: batch.done.length }, "results could not be stored");
  }

  async #store(tx: Tx, { rows, cancelled, done }: Batch): Promise<void> {
    const { boss } = this.#deps;
    const worker = this.#deps.worker();
    if (rows.length > 0) {
      const settled = await settleAttempts(tx, worker, rows);
      await this.#retry(
        tx,
        rows.filter((row) => settled.has(row.deliveryId)),
      );
      for (const row of rows) if (!settled.has(row.deliveryId)) await completeLostTry(tx, row);
    }
    if (cancelled.length > 0)
      await cancelDeliveries(
        tx,
        cancelled.map(({ due }) => due.tenantId),
        cancelled.map(({ due }) => due.id),
      );
    if (done.length > 0) {
      // Fenced by the retry count: a job that was handed out again meanwhile is left to who has it now.
      for (const [queue, chunks] of Map.groupBy(done, (chunk) => chunk.queue))
        await boss.deleteJob(
          queue,
          chunks.map(({ id, retryCount }) => ({ id, retryCount })),
          within(tx),
        );
      await deleteClaims(
        tx,
        worker,
        done.map((chunk) => chunk.id),
      );
    }
  }

  async #retry(tx: Tx, rows: readonly SettleRow[]): Promise<void> {
    const jobs = rows.flatMap((row) =>
      row.nextAttemptAt
        ? [
            {
              id: row.jobId,
              tenantId: row.tenantId,
              deliveryIds: [row.deliveryId],
              startAfter: row.nextAttemptAt,
            },
          ]
        : [],
    );
    await enqueueDeliveries(this.#deps.boss, tx, QUEUES.deliverRetry.name, jobs);
    const gone = rows.filter((row) => row.outcome === "disable");
    for (const row of gone)
      await disableEndpoint(tx, { deliveryId: row.deliveryId, tenantId: row.tenantId, reason: "gone" });
  }
}

const isEmpty = (batch: Batch) => batch.rows.length + batch.cancelled.length + batch.done.length === 0;
