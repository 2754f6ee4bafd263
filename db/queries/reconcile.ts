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
 * job no longer exists: nothing will ever look at them.
 */
export async function findStrays(
  conn: Conn,
  part: { queues: readonly string[]; overdueSeconds: number; after: Position; limit: number },
): Promise<Inspection> {
  const rows = await conn.query<Seen & Record<string, unknown> & { isStray: boolean; isLast: boolean }>(
    // In the order of the index of what is not delivered.
    `with overdue as materialized (
       select tenant_id, id, job_id, attempts from deliveries
        where status = 'pending' and (tenant_id, status, id) > ($1, 'pending', $2)
          and next_attempt_at < now() - make_interval(secs => $3)
        order by tenant_id, status, id limit $4
     ), seen as (
       select overdue.*, row_number() over (order by tenant_id, id) = $4 as is_last,
              not exists (select 1 from pgboss.job j
                           where j.name = any($5) and j.id = overdue.job_id and j.state < 'completed') as is_stray
         from overdue
     )
     select tenant_id as "tenantId", id, job_id as "jobId", attempts, is_stray as "isStray", is_last as "isLast"
       from seen where is_stray or is_last`,
    [part.after.tenantId, part.after.id, part.overdueSeconds, part.limit, part.queues],
  );
  return { next: rows.find((row) => row.isLast), strays: rows.filter((row) => row.isStray) };
}
