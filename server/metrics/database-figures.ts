import { setTimeout as delay } from "node:timers/promises";
import { type Conn, type Db, isConnectionError, withTransaction } from "#db/client.ts";
import { claimsHeld, deliveriesWaiting } from "#db/queries/metrics.ts";
import { oldestDueSeconds } from "#db/queries/reconcile.ts";
import { DELIVERY_QUEUE_NAMES } from "../queue/queues.ts";

/** What the database tells about the work in it. A figure that could not be had in time is `undefined`. */
export interface DatabaseFigures {
  oldestDueSeconds: number | undefined;
  waiting: { queue: string; deliveries: number }[] | undefined;
  claims: number | undefined;
}

const QUERY_TIMEOUT_MS = 1_500;
const MAX_AGE_MS = 5_000;
/** Below the ten seconds that Prometheus gives a scrape: the figures of the process are not lost with the database's. */
const DEADLINE_MS = 8_000;
const NOTHING: DatabaseFigures = { oldestDueSeconds: undefined, waiting: undefined, claims: undefined };

/**
 * Gives a function that reads the figures: however many ask, once at a time and on one connection, and then not again
 * for `maxAgeMs`. It never rejects, and answers within `deadlineMs`. What failed is remembered as long as what succeeded.
 */
export function databaseFigures(
  db: Db,
  { maxAgeMs = MAX_AGE_MS, deadlineMs = DEADLINE_MS }: { maxAgeMs?: number; deadlineMs?: number } = {},
): () => Promise<DatabaseFigures> {
  let reading: Promise<DatabaseFigures> | undefined;
  return () => {
    reading ??= read(db).finally(() => {
      setTimeout(() => {
        reading = undefined;
      }, maxAgeMs).unref();
    });
    return Promise.race([reading, delay(deadlineMs, NOTHING, { ref: false })]);
  };
}

async function read(db: Db): Promise<DatabaseFigures> {
  let reachable = true;
  const figure = async <T>(query: (conn: Conn) => Promise<T>): Promise<T | undefined> => {
    if (!reachable) return undefined;
    try {
      return await withTransaction(db, async (tx) => {
        await tx.query(`set local statement_timeout = ${QUERY_TIMEOUT_MS}`);
        return query(tx);
      });
    } catch (error) {
      reachable = !isConnectionError(error);
      return undefined;
    }
  };
  return {
    oldestDueSeconds: await figure(oldestDueSeconds),
    waiting: await figure((conn) => deliveriesWaiting(conn, DELIVERY_QUEUE_NAMES)),
    claims: await figure(claimsHeld),
  };
}
