import { setTimeout as delay } from "node:timers/promises";
import { type Conn, type Db, withTransaction } from "#db/client.ts";
import { isConnectionError } from "#db/database-errors.ts";
import { countBreakers } from "#db/queries/circuit-breakers.ts";
import {
  claimsHeld,
  deliveriesWaiting,
  endedFigures,
  type PendingFigures,
  pendingFigures,
} from "#db/queries/metrics.ts";
import { type RetentionFigures, retentionFigures } from "#db/queries/retention-figures.ts";
import { countWorkers } from "#db/queries/workers.ts";
import { DELIVERY_QUEUE_NAMES } from "../queue/queues.ts";

/** What the database tells about the work in it. A figure that could not be had in time is `undefined`. */
export interface DatabaseFigures {
  pending: PendingFigures | undefined;
  ended: Awaited<ReturnType<typeof endedFigures>> | undefined;
  /** Workers that are alive. */
  workers: number | undefined;
  waiting: { queue: string; deliveries: number }[] | undefined;
  claims: number | undefined;
  breakers: Awaited<ReturnType<typeof countBreakers>> | undefined;
  retention: RetentionFigures | undefined;
}

const QUERY_TIMEOUT_MS = 1_500;
/** Of the one that looks at everything pending. */
const LONG_QUERY_TIMEOUT_MS = 4_000;
const MAX_AGE_MS = 5_000;
/** A reading that took long is good for so many times as long: it takes the database 5 % of its time at most. */
const REST = 20;
/** Below the ten seconds that Prometheus gives a scrape: the figures of the process are not lost with the database's. */
const DEADLINE_MS = 8_000;
const NOTHING: DatabaseFigures = {
  pending: undefined,
  ended: undefined,
  workers: undefined,
  waiting: undefined,
  claims: undefined,
  breakers: undefined,
  retention: undefined,
};

export type ReadFigures = () => Promise<DatabaseFigures>;

/**
 * Gives a function that reads the figures: however many ask, once at a time and on one connection, and then not again
 * for `maxAgeMs`, or twenty times as long as it took. It never rejects, and answers within `deadlineMs`. What failed is remembered as long as what succeeded.
 */
export function databaseFigures(
  db: Db,
  { maxAgeMs = MAX_AGE_MS, deadlineMs = DEADLINE_MS }: { maxAgeMs?: number; deadlineMs?: number } = {},
): ReadFigures {
  let reading: Promise<DatabaseFigures> | undefined;
  const begin = () => {
    const beganAt = performance.now();
    return read(db).finally(() => {
      const restMs = maxAgeMs && Math.max(maxAgeMs, REST * (performance.now() - beganAt));
      setTimeout(() => {
        reading = undefined;
      }, restMs).unref();
    });
  };
  return () => {
    reading ??= begin();
    return Promise.race([reading, delay(deadlineMs, NOTHING, { ref: false })]);
  };
}

async function read(db: Db): Promise<DatabaseFigures> {
  let reachable = true;
  const figure = async <T>(
    query: (conn: Conn) => Promise<T>,
    timeoutMs = QUERY_TIMEOUT_MS,
  ): Promise<T | undefined> => {
    if (!reachable) return undefined;
    try {
      return await withTransaction(db, async (tx) => {
        // A worker's connections are kept from walking through whole tables, which this is about.
        await tx.query(`set local statement_timeout = ${timeoutMs}; set local enable_seqscan = on`);
        return query(tx);
      });
    } catch (error) {
      reachable = !isConnectionError(error);
      return undefined;
    }
  };
  return {
    pending: await figure(pendingFigures, LONG_QUERY_TIMEOUT_MS),
    workers: await figure(countWorkers),
    ended: await figure(endedFigures),
    waiting: await figure((conn) => deliveriesWaiting(conn, DELIVERY_QUEUE_NAMES)),
    claims: await figure(claimsHeld),
    breakers: await figure(countBreakers),
    retention: await figure(retentionFigures),
  };
}
