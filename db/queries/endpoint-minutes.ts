import type { Conn, Tx } from "../client.ts";
import { type Columns, rowsOf, valuesOf } from "../columns.ts";
import { forgetHours, isLate } from "./endpoint-hours.ts";
import { CLASSES, COUNTS_SUMMED_AS_TEXT, withLatencies } from "./latency-classes.ts";

/** What is to be added to one minute of an endpoint. */
export interface MinuteRow {
  tenantId: string;
  endpointId: string;
  /** Its beginning. */
  minute: Date;
  attempts: number;
  succeeded: number;
  /** Attempts by class of latency. */
  latencies: readonly number[];
}

const COUNTS: Columns<MinuteRow> = [
  ["tenant_id", "uuid", (row) => row.tenantId],
  ["endpoint_id", "uuid", (row) => row.endpointId],
  ["minute", "timestamptz", (row) => row.minute],
  ["attempts", "int", (row) => row.attempts],
  ["succeeded", "int", (row) => row.succeeded],
  // An array of arrays has to be a rectangle of one type: each goes as its text.
  ["latencies", "text", (row) => `{${row.latencies.join(",")}}`],
];

// Element by element: a subquery over both arrays costs more, and a distributed table takes none here.
const SUMS = CLASSES.map((n) => `m.latencies[${n}] + excluded.latencies[${n}]`).join(", ");

/**
 * Adds to the minutes of endpoints at a time `now`. Rows must come in one order everywhere (`minutesOf` gives it), so that transactions
 * wait for each other and never in a circle. It should be the last statement of its transaction: until the commit others
 * wait who count for the same endpoint.
 */
export async function addToMinutes(tx: Tx, rows: readonly MinuteRow[], now: Date): Promise<void> {
  const late = rows.filter(({ minute }) => isLate(minute, now));
  if (late.length > 0) await forgetHours(tx, late);
  await tx.query(
    `insert into endpoint_minutes as m (tenant_id, endpoint_id, minute, attempts, succeeded, latencies)
     select tenant_id, endpoint_id, minute, attempts, succeeded, latencies::int[]
       from (${rowsOf(COUNTS)}) r
     on conflict (tenant_id, endpoint_id, minute) do update
        set attempts = m.attempts + excluded.attempts, succeeded = m.succeeded + excluded.succeeded,
            latencies = array[${SUMS}]`,
    valuesOf(COUNTS, rows),
    "add-to-minutes",
  );
}

/** What an endpoint did from one moment to another, excluded, in buckets that begin with the epoch. */
export interface BucketsOf {
  tenantId: string;
  endpointId: string;
  from: Date;
  to: Date;
  bucketMs: number;
}

export interface BucketRow extends Record<string, unknown> {
  start: Date;
  attempts: number;
  succeeded: number;
  latencies: number[];
}

/** The same with its array as text. */
export interface BucketText extends Record<string, unknown> {
  start: Date;
  attempts: number;
  succeeded: number;
  latencies: string;
}

/** The minutes of an endpoint from one moment to another, excluded, summed up in buckets that begin with the epoch. */
export async function sumMinutes(conn: Conn, of: BucketsOf): Promise<BucketRow[]> {
  const rows = await conn.query<BucketText>(
    `select date_bin(make_interval(secs => $5), minute, timestamptz '1970-01-01 00:00Z') as start, ${COUNTS_SUMMED_AS_TEXT}
       from endpoint_minutes
      where tenant_id = $1 and endpoint_id = $2 and minute >= $3 and minute < $4
      group by 1`,
    [of.tenantId, of.endpointId, of.from, of.to, of.bucketMs / 1000],
  );
  return withLatencies(rows);
}

/** Deletes up to `limit` minutes that are older; gives how many there were. */
export async function deleteMinutesBefore(conn: Conn, before: Date, limit: number): Promise<number> {
  const rows = await conn.query(
    `delete from endpoint_minutes
      where (tenant_id, endpoint_id, minute) in
            (select tenant_id, endpoint_id, minute from endpoint_minutes where minute < $1 limit $2)
     returning minute`,
    [before, limit],
  );
  return rows.length;
}
