import type { Conn, Tx } from "../client.ts";
import type { BucketRow, BucketsOf, BucketText, MinuteRow } from "./endpoint-minutes.ts";
import { COUNTS_SUMMED, COUNTS_SUMMED_AS_TEXT, withLatencies } from "./latency-classes.ts";

const HOUR_MS = 3_600_000;
/** An hour is added up when it has been over for so long; what is added to its minutes meanwhile is in it. */
const SETTLED = "interval '1 hour'";
/** Who adds to a minute so long after the end of its hour says so: the rest is for clocks that differ, and for long transactions. */
const LATE_MS = 600_000;
const LOCK = "hashtextextended('posthorn.endpoint-hours', 0)";

const hourOf = (minute: Date) => new Date(Math.floor(minute.getTime() / HOUR_MS) * HOUR_MS);

/** Whether the hour of a minute may have been added up already. */
export const isLate = (minute: Date, now: Date): boolean =>
  now.getTime() - hourOf(minute).getTime() >= HOUR_MS + LATE_MS;

/**
 * Removes the hours of minutes that `tx` is about to add to: they are read from their minutes from then on. Until `tx`
 * ends no hour is added up.
 */
export async function forgetHours(
  tx: Tx,
  minutes: readonly Pick<MinuteRow, "tenantId" | "endpointId" | "minute">[],
): Promise<void> {
  await tx.query(`select pg_advisory_xact_lock_shared(${LOCK})`);
  await tx.query(
    `delete from endpoint_hours
      where (tenant_id, endpoint_id, hour) in (select * from unnest($1::uuid[], $2::uuid[], $3::timestamptz[]))`,
    [
      minutes.map(({ tenantId }) => tenantId),
      minutes.map(({ endpointId }) => endpointId),
      minutes.map(({ minute }) => hourOf(minute)),
    ],
  );
}

/** Adds up the minutes of all endpoints in the next hour; gives whether there was one. `keptMs` ago is the first that counts. */
export async function addUpHour(tx: Tx, keptMs: number): Promise<boolean> {
  const [lock] = await tx.query<{ free: boolean }>(`select pg_try_advisory_xact_lock(${LOCK}) as free`);
  if (!lock?.free) return false;
  const [next] = await tx.query<{ hour: Date }>(
    `with first as (
       select date_trunc('hour', greatest(now() - $1 * interval '1 millisecond', coalesce(
                (select until from endpoint_hours_until), (select min(minute) from endpoint_minutes), now())), 'UTC') as hour
     ) select hour from first where hour + interval '1 hour' + ${SETTLED} <= now()`,
    [keptMs],
  );
  if (!next) return false;
  await tx.query(
    `insert into endpoint_hours (tenant_id, endpoint_id, hour, attempts, succeeded, latencies)
     select e.tenant_id, e.id, $1, h.attempts, h.succeeded, h.latencies
       from webhook_endpoints e cross join lateral (
         select ${COUNTS_SUMMED} from endpoint_minutes m
          where m.tenant_id = e.tenant_id and m.endpoint_id = e.id and m.minute >= $1
            and m.minute < $1::timestamptz + interval '1 hour'
         having count(*) > 0) h
     on conflict do nothing`,
    [next.hour],
  );
  await tx.query(
    `insert into endpoint_hours_until (until) values ($1) on conflict (id) do update set until = excluded.until`,
    [new Date(next.hour.getTime() + HOUR_MS)],
  );
  return true;
}

/** As `sumMinutes`, for times and buckets of whole hours. Hours that are not added up are read from their minutes. */
export async function sumHours(conn: Conn, of: BucketsOf): Promise<BucketRow[]> {
  const rows = await conn.query<BucketText>(
    `with added as materialized (
       select hour, attempts, succeeded, latencies from endpoint_hours
        where tenant_id = $1 and endpoint_id = $2 and hour >= $3 and hour < $4
     ), counted as (
       select * from added
       union all
       select m.* from generate_series($3::timestamptz, $4::timestamptz - interval '1 hour', interval '1 hour') missing (hour)
        cross join lateral (
          select m.minute, m.attempts, m.succeeded, m.latencies from endpoint_minutes m
           where m.tenant_id = $1 and m.endpoint_id = $2 and m.minute >= missing.hour
             and m.minute < missing.hour + interval '1 hour' offset 0) m
        where missing.hour not in (select hour from added)
     )
     select date_bin(make_interval(secs => $5), hour, timestamptz '1970-01-01 00:00Z') as start, ${COUNTS_SUMMED_AS_TEXT}
       from counted group by 1`,
    [of.tenantId, of.endpointId, of.from, of.to, of.bucketMs / 1000],
  );
  return withLatencies(rows);
}

/** Deletes up to `limit` hours that began earlier; gives how many there were. */
export async function deleteHoursBefore(conn: Conn, before: Date, limit: number): Promise<number> {
  const rows = await conn.query(
    `delete from endpoint_hours
      where (tenant_id, endpoint_id, hour) in
            (select tenant_id, endpoint_id, hour from endpoint_hours where hour < $1 limit $2)
     returning 1`,
    [before, limit],
  );
  return rows.length;
}
