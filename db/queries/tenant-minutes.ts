import type { Conn } from "../client.ts";
import type { BucketRow, BucketText } from "./endpoint-minutes.ts";
import { COUNTS_SUMMED_AS_TEXT, withLatencies } from "./latency-classes.ts";

interface Range {
  tenantId: string;
  from: Date;
  /** Excluded. */
  to: Date;
}

/** The minutes of all endpoints of a tenant, summed up in buckets that begin with the epoch. */
export async function sumTenantMinutes(conn: Conn, of: Range & { bucketMs: number }): Promise<BucketRow[]> {
  const rows = await conn.query<BucketText>(
    `select date_bin(make_interval(secs => $4), minute, timestamptz '1970-01-01 00:00Z') as start, ${COUNTS_SUMMED_AS_TEXT}
       from endpoint_minutes
      where tenant_id = $1 and minute >= $2 and minute < $3
      group by 1`,
    [of.tenantId, of.from, of.to, of.bucketMs / 1000],
  );
  return withLatencies(rows);
}

export interface FailingRow extends Record<string, unknown> {
  endpointId: string;
  attempts: number;
  failed: number;
  breaker: string;
}

/** The endpoints that fail or are sent nothing because they did, those with most failures first. */
export function listFailingEndpoints(conn: Conn, of: Range & { limit: number }): Promise<FailingRow[]> {
  return conn.query(
    `with counted as materialized (
       select endpoint_id, sum(attempts)::int as attempts, sum(attempts - succeeded)::int as failed
         from endpoint_minutes
        where tenant_id = $1 and minute >= $2 and minute < $3
        group by 1),
     shut as materialized (
       select endpoint_id, breaker_state from endpoint_health where tenant_id = $1 and breaker_state <> 'closed')
     select e.id as "endpointId", coalesce(c.attempts, 0) as attempts, coalesce(c.failed, 0) as failed,
            coalesce(s.breaker_state, 'closed') as breaker
       from webhook_endpoints e
       left join counted c on c.endpoint_id = e.id
       left join shut s on s.endpoint_id = e.id
      where e.tenant_id = $1 and e.deleted_at is null and (c.failed > 0 or s.endpoint_id is not null)
      order by failed desc, e.id limit $4`,
    [of.tenantId, of.from, of.to, of.limit],
  );
}

export interface DueRow extends Record<string, unknown> {
  id: string;
  dueAt: Date;
}

/** The delivery that is due for longest among the oldest `limit` that wait and that no worker has. */
export async function findOldestDue(
  conn: Conn,
  of: { tenantId: string; limit: number },
): Promise<DueRow | undefined> {
  const [row] = await conn.query<DueRow>(
    `select w.id, w.next_attempt_at as "dueAt"
       from (select id, next_attempt_at from undelivered
              where tenant_id = $1 and status = 'pending' order by id limit $2) w,
            lateral (select status, job_id from deliveries d where d.tenant_id = $1 and d.id = w.id offset 0) d
      where w.next_attempt_at <= now() and d.status = 'pending'
        and d.job_id not in (select job_id from claims where tenant_id = $1)
      order by w.next_attempt_at, w.id limit 1`,
    [of.tenantId, of.limit],
  );
  return row;
}
