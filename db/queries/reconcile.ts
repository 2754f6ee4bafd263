import type { Conn } from "../client.ts";
import type { Seen } from "./delivering.ts";

/** Where an inspection of all pending deliveries has come to. */
export type Position = Pick<Seen, "tenantId" | "id">;

export const BEGINNING: Position = {
  tenantId: "00000000-0000-0000-0000-000000000000",
  id: "00000000-0000-0000-0000-000000000000",
};

/** A part of the pending deliveries, looked through. */
export interface Inspection {
  /** Where to go on; `undefined` at the end. */
  next: Position | undefined;
  strays: Seen[];
}

/**
 * Looks at up to `limit` deliveries after a position that have been due for longer than `overdueSeconds`, for those whose
 * job no longer exists: nothing will ever look at them. What is noted as pending and is not is forgotten: somebody wrote
 * `deliveries` who does not know of `undelivered`, such as a worker of an earlier release.
 */
export async function findStrays(
  conn: Conn,
  part: { queues: readonly string[]; overdueSeconds: number; after: Position; limit: number },
): Promise<Inspection> {
  const rows = await conn.query<Seen & Record<string, unknown> & { isStray: boolean; isLast: boolean }>(
    `with overdue as materialized (
       select tenant_id, id, ctid as place from undelivered
        where status = 'pending' and (tenant_id, status, id) > ($1, 'pending', $2)
          and next_attempt_at < now() - make_interval(secs => $3)
        order by tenant_id, status, id limit $4
     ), seen as (
       select overdue.*, d.job_id, d.attempts, coalesce(d.status = 'pending', false) as is_pending,
              row_number() over (order by tenant_id, id) = $4 as is_last,
              not exists (select 1 from pgboss.job j
                           where j.name = any($5) and j.id = d.job_id and j.state < 'completed') as has_no_job
         from overdue left join lateral (select status, job_id, attempts from deliveries d
                                          where d.tenant_id = overdue.tenant_id and d.id = overdue.id offset 0) d on true
     ), forgotten as (
       delete from undelivered where ctid = any(array(select place from seen where not is_pending)) and status = 'pending'
     )
     select tenant_id as "tenantId", id, job_id as "jobId", attempts, is_pending and has_no_job as "isStray", is_last as "isLast"
       from seen where is_pending and has_no_job or is_last`,
    [part.after.tenantId, part.after.id, part.overdueSeconds, part.limit, part.queues],
  );
  return { next: rows.find((row) => row.isLast), strays: rows.filter((row) => row.isStray) };
}
