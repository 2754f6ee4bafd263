import type { Trigger } from "#contracts/deliveries.ts";
import type { Conn, Tx } from "../client.ts";
import { type Columns, namesOf, rowsOf, valuesOf } from "../columns.ts";
import { type TypeMinute, unknownMinutes } from "./delivery-minutes.ts";

export interface NewDeliveryRow {
  id: string;
  eventId: string;
  eventType: string;
  endpointId: string;
  jobId: string;
  /** The time in its id. */
  createdAt: Date;
}

const NEW: Columns<NewDeliveryRow> = [
  ["id", "uuid", (row) => row.id],
  ["event_id", "uuid", (row) => row.eventId],
  ["event_type", "text", (row) => row.eventType],
  ["endpoint_id", "uuid", (row) => row.endpointId],
  ["job_id", "uuid", (row) => row.jobId],
  ["created_at", "timestamptz", (row) => row.createdAt],
];
const MINUTE: Columns<TypeMinute> = [
  ["event_type", "text", ({ eventType }) => eventType],
  ["minute", "int", ({ minute }) => minute],
];
const INSERT = `insert into deliveries (tenant_id, ${namesOf(NEW).join(", ")}, trigger, next_attempt_at)
  select $1, d.*, $2, case when not $3 then now() end from (${rowsOf(NEW, 4)}) d`;
const INSERT_IN_NEW_MINUTE = `with minutes as (
    insert into delivery_minutes (tenant_id, ${namesOf(MINUTE).join(", ")})
    select $1, m.* from (${rowsOf(MINUTE, 4 + NEW.length)}) m
  ) ${INSERT}`;

/**
 * Stores deliveries that are due at once, by the clock of the database, which is the one that says what is due, or held.
 * `trigger` says what their attempts are made for.
 */
export async function insertDeliveries(
  tx: Tx,
  tenantId: string,
  rows: readonly NewDeliveryRow[],
  trigger: Trigger = "schedule",
  isHeld = false,
): Promise<void> {
  if (rows.length === 0) return;
  const values = [tenantId, trigger, isHeld, ...valuesOf(NEW, rows)];
  const minutes = unknownMinutes(tx, tenantId, rows);
  if (minutes.length === 0) await tx.query(INSERT, values, "insert-deliveries");
  else
    await tx.query(
      INSERT_IN_NEW_MINUTE,
      [...values, ...valuesOf(MINUTE, minutes)],
      "insert-deliveries-in-new-minute",
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

// A pending delivery whose job a worker holds is in flight. Claims are few, so they are read once and hashed; so are the
// endpoints whose circuit breakers are open, which get nothing before it is their time.
export const HELD = `held as materialized (select job_id from claims where tenant_id = $1),
  shut as materialized (select endpoint_id, breaker_until from endpoint_health
                         where tenant_id = $1 and breaker_state <> 'closed' and breaker_until > now())`;
const NEXT_ATTEMPT = `case when d.status = 'pending' and d.next_attempt_at is not null
  then greatest(d.next_attempt_at, (select breaker_until from shut where shut.endpoint_id = d.endpoint_id))
  else d.next_attempt_at end`;
const STATUS = `case when d.status = 'pending' and d.job_id in (select job_id from held) then 'in_flight' else d.status end`;
export const COLUMNS = `d.id, d.event_id as "eventId", d.event_type as "eventType", d.endpoint_id as "endpointId",
  ${STATUS} as status, d.attempts, ${NEXT_ATTEMPT} as "nextAttemptAt", d.failure_class as "failureClass",
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

/** Whether the endpoint of a delivery takes deliveries, be it that it holds them. */
export async function isEndpointOpen(conn: Conn, tenantId: string, endpointId: string): Promise<boolean> {
  const rows = await conn.query(
    `select 1 from webhook_endpoints
      where tenant_id = $1 and id = $2 and status <> 'disabled' and deleted_at is null`,
    [tenantId, endpointId],
  );
  return rows.length === 1;
}
