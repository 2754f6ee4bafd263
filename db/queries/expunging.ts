import type { Conn, Tx } from "../client.ts";
import { CANCEL_UNSENT } from "./delivering.ts";

/**
 * The jobs that are or may be doing something for an event: those of its pending deliveries, and of cancelled ones whose
 * request is still under way.
 */
export async function jobsOfEvent(conn: Conn, tenantId: string, eventId: string): Promise<string[]> {
  const rows = await conn.query<{ jobId: string }>(
    `select distinct job_id as "jobId" from deliveries d
      where tenant_id = $1 and event_id = $2
        and (status = 'pending'
             or status = 'cancelled' and exists (select 1 from claims c where c.job_id = d.job_id))
      order by 1`,
    [tenantId, eventId],
  );
  return rows.map(({ jobId }) => jobId);
}

/** Cancels the deliveries of an event that wait for these very jobs, which no worker has; gives the endpoint of each. */
export async function cancelPendingOfEvent(
  tx: Tx,
  of: { tenantId: string; eventId: string; jobIds: readonly string[] },
): Promise<string[]> {
  const rows = await tx.query<{ endpointId: string }>(
    `update deliveries d set ${CANCEL_UNSENT}
      where tenant_id = $1 and event_id = $2 and status = 'pending' and job_id = any($3)
     returning endpoint_id as "endpointId"`,
    [of.tenantId, of.eventId, of.jobIds],
  );
  return rows.map(({ endpointId }) => endpointId);
}

/** Puts a body without data in the place of an event's own; gives whether that was still there. */
export async function expungeEventRow(
  tx: Tx,
  tenantId: string,
  { id, body, at }: { id: string; body: string; at: Date },
): Promise<boolean> {
  const rows = await tx.query(
    `update events set body = $3, content_hash = null, expunged_at = $4
      where tenant_id = $1 and id = $2 and expunged_at is null returning id`,
    [tenantId, id, body, at],
  );
  return rows.length === 1;
}

/** Erases what the attempts of an event tell of its data: what was answered, which may repeat it, and its signatures. */
export async function expungeAttempts(tx: Tx, tenantId: string, eventId: string): Promise<void> {
  await tx.query(
    `update attempts set response_body = null, response_headers = null, response_truncated = false, request_headers = null
      where tenant_id = $1
        and delivery_id = any(array(select id from deliveries where tenant_id = $1 and event_id = $2))`,
    [tenantId, eventId],
  );
}

// Clocks of processes may differ a little, and a client's own id may be used again for a day on either side of its time.
const FROM = "interval '7 days' - interval '5 minutes'";
const TO = "interval '7 days' + interval '49 hours'";

/**
 * Erases an event's data from the answers to publishing that are kept for seven days. They are found by the time of their
 * expiry: no index leads from an event to them.
 */
export async function expungeAnswers(
  tx: Tx,
  tenantId: string,
  event: { id: string; createdAt: Date; body: string },
): Promise<void> {
  await tx.query(
    `update idempotency_records set body = $4
      where tenant_id = $1 and method = 'POST' and path like '%/events'
        and expires_at >= $3::timestamptz + ${FROM} and expires_at <= $3::timestamptz + ${TO}
        and starts_with(body, '{"id":"evt_' || $2::text || '"')`,
    [tenantId, event.id, event.createdAt, event.body],
  );
}
