import type { Trigger } from "#contracts/deliveries.ts";
import type { Conn, Tx } from "../client.ts";
import type { PageQuery } from "./paging.ts";

export interface NewDeliveryRow {
  id: string;
  eventId: string;
  eventType: string;
  endpointId: string;
  jobId: string;
  createdAt: Date;
}

/**
 * Stores deliveries that are due at once, by the clock of the database, which is the one that says what is due. `trigger`
 * says what their attempts are made for.
 */
export async function insertDeliveries(
  tx: Tx,
  tenantId: string,
  rows: readonly NewDeliveryRow[],
  trigger: Trigger = "schedule",
): Promise<void> {
  if (rows.length === 0) return;
  await tx.query(
    `insert into deliveries (tenant_id, id, event_id, event_type, endpoint_id, job_id, created_at, trigger, next_attempt_at)
     select $1, d.id, d.event_id, d.event_type, d.endpoint_id, d.job_id, d.at, $8, now()
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
      trigger,
    ],
    "insert-deliveries",
  );
}

export interface DeliveryRow extends Record<string, unknown> {
  id: string;
  eventId: string;
  eventType: string;
  endpointId: string;
  /** `in_flight` included. */
  status: string;
  attempts: number;
  nextAttemptAt: Date | null;
  failureClass: string | null;
  failureReason: string | null;
  createdAt: Date;
  deliveredAt: Date | null;
}

/** What narrows a list of deliveries; `null` does not. */
export interface DeliveryFilter {
  id: string | null;
  endpointId: string | null;
  eventId: string | null;
  eventTypes: readonly string[] | null;
  statuses: readonly string[] | null;
  /** Bounds on the id, which carries the time of creation: from inclusive, to exclusive. */
  fromId: string | null;
  toId: string | null;
  /** Text within the event's body. */
  text: string | null;
}

// A pending delivery whose job a worker holds is in flight. Claims are few, so they are read once and hashed.
const HELD = "held as materialized (select job_id from claims where tenant_id = $1)";
const STATUS = `case when d.status = 'pending' and d.job_id in (select job_id from held) then 'in_flight' else d.status end`;
const COLUMNS = `d.id, d.event_id as "eventId", d.event_type as "eventType", d.endpoint_id as "endpointId",
  ${STATUS} as status, d.attempts, d.next_attempt_at as "nextAttemptAt", d.failure_class as "failureClass",
  d.failure_reason as "failureReason", d.created_at as "createdAt", d.delivered_at as "deliveredAt"`;

/** One delivery, or `undefined`. */
export async function getDelivery(
  conn: Conn,
  tenantId: string,
  id: string,
): Promise<DeliveryRow | undefined> {
  const [row] = await conn.query<DeliveryRow>(
    `with ${HELD} select ${COLUMNS} from deliveries d where d.tenant_id = $1 and d.id = $2`,
    [tenantId, id],
  );
  return row;
}

/**
 * A page of deliveries and one row more, in the order of their ids, which is that of their creation: newest first, or,
 * backward, what is newer than `from`, nearest first. `from` holds an id.
 */
export function listDeliveries(
  conn: Conn,
  tenantId: string,
  filter: DeliveryFilter,
  page: PageQuery,
): Promise<DeliveryRow[]> {
  const [comparison, direction] = page.backward ? [">", "asc"] : ["<", "desc"];
  // A pending row may show as in flight, so the index is asked for both and the shown status decides.
  const stored = filter.statuses?.map((status) => (status === "in_flight" ? "pending" : status)) ?? null;
  return conn.query<DeliveryRow>(
    `with ${HELD}
     select ${COLUMNS} from deliveries d
      where d.tenant_id = $1
        and ($2::uuid is null or d.id ${comparison} $2)
        and ($3::uuid is null or d.endpoint_id = $3)
        and ($4::uuid is null or d.event_id = $4)
        and ($5::text[] is null or d.event_type = any($5))
        and ($6::text[] is null or d.status = any($6))
        and ($7::text[] is null or ${STATUS} = any($7))
        and ($8::uuid is null or d.id >= $8) and ($9::uuid is null or d.id < $9)
        and ($10::text is null or exists (select 1 from events e
              where e.tenant_id = d.tenant_id and e.id = d.event_id and strpos(e.body, $10) > 0))
        and ($11::uuid is null or d.id = $11)
      order by d.id ${direction} limit $12`,
    [
      tenantId,
      page.from?.[0] ?? null,
      filter.endpointId,
      filter.eventId,
      filter.eventTypes,
      stored,
      filter.statuses,
      filter.fromId,
      filter.toId,
      filter.text,
      filter.id,
      page.limit + 1,
    ],
  );
}

/** Whether the endpoint of a delivery takes deliveries, be it that it holds them. */
export async function isEndpointOpen(conn: Conn, tenantId: string, endpointId: string): Promise<boolean> {
  const rows = await conn.query(
    `select 1 from webhook_endpoints
      where tenant_id = $1 and id = $2 and status <> 'disabled' and deleted_at is null`,
    [tenantId, endpointId],
  );
  return rows.length === 1;
}
