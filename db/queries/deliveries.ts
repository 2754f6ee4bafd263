import type { Tx } from "../client.ts";

export interface NewDeliveryRow {
  id: string;
  eventId: string;
  eventType: string;
  endpointId: string;
  jobId: string;
  createdAt: Date;
}

/** Stores deliveries that are due at once. */
export async function insertDeliveries(
  tx: Tx,
  tenantId: string,
  rows: readonly NewDeliveryRow[],
): Promise<void> {
  if (rows.length === 0) return;
  await tx.query(
    `insert into deliveries (tenant_id, id, event_id, event_type, endpoint_id, job_id, created_at, next_attempt_at)
     select $1, d.id, d.event_id, d.event_type, d.endpoint_id, d.job_id, d.at, d.at
       from unnest($2::uuid[], $3::uuid[], $4::text[], $5::uuid[], $6::uuid[], $7::timestamptz[])
         as d (id, event_id, event_type, endpoint_id, job_id, at)`,
    [
      tenantId,
      rows.map((row) => row.id),
      rows.map((row) => row.eventId),
      rows.map((row) => row.eventType),
      rows.map((row) => row.endpointId),
      rows.map((row) => row.jobId),
      rows.map((row) => row.createdAt),
    ],
    "insert-deliveries",
  );
}
