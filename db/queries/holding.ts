import type { Conn, Tx } from "../client.ts";
import { IS_PENDING, type Seen } from "./delivering.ts";

/*
 * A delivery that is held is pending and has no time for its next attempt: no job looks at it, and the reconciler passes
 * it over. Releasing it gives it a job and makes it due.
 */

/** Whether an endpoint is paused, and stays so until the transaction ends. */
export async function lockPaused(tx: Tx, tenantId: string, endpointId: string): Promise<boolean> {
  const rows = await tx.query(
    `select 1 from webhook_endpoints
      where tenant_id = $1 and id = $2 and status = 'paused' and deleted_at is null for share`,
    [tenantId, endpointId],
  );
  return rows.length === 1;
}

/** Holds deliveries; those that are not as they were seen stay as they are. */
export async function holdDeliveries(tx: Tx, deliveries: readonly Seen[]): Promise<void> {
  await tx.query(
    `update deliveries d set next_attempt_at = null
       from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::int[]) as h (tenant_id, id, job_id, attempts)
      where d.tenant_id = h.tenant_id and d.id = h.id and d.job_id = h.job_id and d.attempts = h.attempts
        and ${IS_PENDING}`,
    [
      deliveries.map((delivery) => delivery.tenantId),
      deliveries.map((delivery) => delivery.id),
      deliveries.map((delivery) => delivery.jobId),
      deliveries.map((delivery) => delivery.attempts),
    ],
  );
}

/**
 * Up to `limit` deliveries that are held for an endpoint, in the order of their ids and after that of `after`; none unless
 * the endpoint is enabled.
 */
export async function listHeld(
  conn: Conn,
  of: { tenantId: string; endpointId: string; after: string; limit: number },
): Promise<string[]> {
  const rows = await conn.query<{ id: string }>(
    `select u.id from undelivered u
      where u.tenant_id = $1 and u.status = 'pending' and u.id > $3 and u.next_attempt_at is null and u.endpoint_id = $2
        and exists (select 1 from webhook_endpoints w
                     where w.tenant_id = $1 and w.id = $2 and w.status = 'enabled' and w.deleted_at is null)
      order by u.id limit $4`,
    [of.tenantId, of.endpointId, of.after, of.limit],
  );
  return rows.map((row) => row.id);
}

/** Makes held deliveries due now, under their jobs; those that are held no longer stay as they are. */
export async function releaseDeliveries(
  tx: Tx,
  tenantId: string,
  deliveries: readonly { id: string; jobId: string }[],
): Promise<void> {
  await tx.query(
    `update deliveries d set job_id = r.job_id, next_attempt_at = now()
       from unnest($2::uuid[], $3::uuid[]) as r (id, job_id)
      where d.tenant_id = $1 and d.id = r.id and ${IS_PENDING} and d.next_attempt_at is null`,
    [tenantId, deliveries.map((each) => each.id), deliveries.map((each) => each.jobId)],
  );
}
