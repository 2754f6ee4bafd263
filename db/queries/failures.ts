import { TREND_DAYS } from "#contracts/failures.ts";
import type { Conn, Tx } from "../client.ts";

export interface FailureGroupRow extends Record<string, unknown> {
  endpointId: string;
  failureReason: string | null;
  failureClasses: string[];
  count: number;
  oldestAt: Date;
  newestAt: Date;
  perDay: number[];
  /** Of all groups, those beyond the limit too. */
  total: number;
  groups: number;
}

const DAYS = Array.from({ length: TREND_DAYS }, (_, index) => index + 1);
const PER_DAY = DAYS.map(
  (n) => `count(*) filter (where created_at >= ($3::timestamptz[])[${n}]
    and created_at < ($3::timestamptz[])[${n}] + interval '1 day')::int`,
).join(", ");

/** The newest `most` failed deliveries by endpoint and reason, at most `limit` groups, the one that waits longest first. */
export function groupFailures(
  conn: Conn,
  of: { tenantId: string; most: number; days: readonly Date[]; limit: number },
): Promise<FailureGroupRow[]> {
  return conn.query(
    `with failed as materialized (
       select d.* from undelivered u,
              lateral (select endpoint_id, failure_reason, failure_class, created_at from deliveries d
                        where d.tenant_id = u.tenant_id and d.id = u.id offset 0) d
        where u.tenant_id = $1 and u.status = 'failed' order by u.id desc limit $2)
     select endpoint_id as "endpointId", failure_reason as "failureReason",
            coalesce(array_agg(distinct failure_class) filter (where failure_class is not null), '{}') as "failureClasses",
            count(*)::int as count, min(created_at) as "oldestAt", max(created_at) as "newestAt",
            array[${PER_DAY}] as "perDay", (sum(count(*)) over ())::int as total, (count(*) over ())::int as groups
       from failed group by 1, 2 order by min(created_at), 1, 2 limit $4`,
    [of.tenantId, of.most, of.days, of.limit],
  );
}

/** Failed deliveries of a range of ids. */
export interface FailedRange {
  tenantId: string;
  /** The first id, and that before which it ends. */
  fromId: string;
  toId: string;
  /** `null` for any. */
  endpointId: string | null;
  failureReasons: readonly string[] | null;
}

const FAILED = `undelivered u, lateral (
    select status, failure_reason from deliveries d where d.tenant_id = u.tenant_id and d.id = u.id offset 0) d
  where u.tenant_id = $1 and u.status = 'failed' and u.id >= $2 and u.id < $3 and ($4::uuid is null or u.endpoint_id = $4)
    and d.status = 'failed' and ($5::text[] is null or d.failure_reason = any($5))`;
const valuesOf = (of: FailedRange) => [of.tenantId, of.fromId, of.toId, of.endpointId, of.failureReasons];

/** How many there are, counted no further than `most`. */
export async function countFailed(conn: Conn, of: FailedRange, most: number): Promise<number> {
  const [row] = await conn.query<{ count: number }>(
    `select count(*)::int as count from (select 1 from ${FAILED} limit $6) found`,
    [...valuesOf(of), most],
  );
  return row?.count ?? 0;
}

/** Closes up to `limit` of them as seen to, the oldest first; gives how many. Why they failed stays. */
export async function dismissAllFailed(tx: Tx, of: FailedRange, limit: number): Promise<number> {
  const rows = await tx.query(
    `with found as materialized (
       select u.id from ${FAILED} order by u.id limit $6
     ), locked as materialized (
       select d.id from deliveries d
        where d.tenant_id = $1 and d.id >= $2 and d.id < $3 and d.id = any(array(select id from found))
        order by d.id for update
     )
     update deliveries d set status = 'dismissed'
      where d.tenant_id = $1 and d.id >= $2 and d.id < $3 and d.id = any(array(select id from locked)) and d.status = 'failed'
     returning d.id`,
    [...valuesOf(of), limit],
  );
  return rows.length;
}
