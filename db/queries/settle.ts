import type { Tx } from "../client.ts";
import { IS_PENDING } from "./delivering.ts";

/** One try with what it makes of its delivery. */
export interface SettleRow {
  tenantId: string;
  deliveryId: string;
  eventId: string;
  endpointId: string;
  eventType: string;
  attemptId: string;
  /** Of this try; the delivery must have made one less. */
  number: number;
  trigger: string;
  startedAt: Date;
  durationMs: number;
  outcome: string;
  errorCode: string | null;
  url: string;
  requestHeaders: string | null;
  responseStatus: number | null;
  responseHeaders: string | null;
  responseBody: Buffer | null;
  responseTruncated: boolean;
  dnsMs: number | null;
  connectMs: number | null;
  tlsMs: number | null;
  firstByteMs: number | null;
  remoteAddress: string | null;
  /** pending, delivered or failed. */
  status: string;
  step: number;
  nextAttemptAt: Date | null;
  /** The job that looks at it next: that of the retry, or else the one that has just done it. */
  jobId: string;
  failureClass: string | null;
}

// One list for parameters, types and order, so that they cannot drift apart.
const COLUMNS: readonly (readonly [name: string, type: string, value: (row: SettleRow) => unknown])[] = [
  ["tenant_id", "uuid", (r) => r.tenantId],
  ["delivery_id", "uuid", (r) => r.deliveryId],
  ["id", "uuid", (r) => r.attemptId],
  ["number", "int", (r) => r.number],
  ["trigger", "text", (r) => r.trigger],
  ["started_at", "timestamptz", (r) => r.startedAt],
  ["duration_ms", "real", (r) => r.durationMs],
  ["outcome", "text", (r) => r.outcome],
  ["error_code", "text", (r) => r.errorCode],
  ["url", "text", (r) => r.url],
  ["request_headers", "text", (r) => r.requestHeaders],
  ["response_status", "smallint", (r) => r.responseStatus],
  ["response_headers", "text", (r) => r.responseHeaders],
  ["response_body", "bytea", (r) => r.responseBody],
  ["response_truncated", "bool", (r) => r.responseTruncated],
  ["dns_ms", "real", (r) => r.dnsMs],
  ["connect_ms", "real", (r) => r.connectMs],
  ["tls_ms", "real", (r) => r.tlsMs],
  ["first_byte_ms", "real", (r) => r.firstByteMs],
  ["remote_address", "text", (r) => r.remoteAddress],
  ["next_attempt_at", "timestamptz", (r) => r.nextAttemptAt],
];
const DELIVERY_COLUMNS: typeof COLUMNS = [
  ["event_id", "uuid", (r) => r.eventId],
  ["endpoint_id", "uuid", (r) => r.endpointId],
  ["event_type", "text", (r) => r.eventType],
  ["status", "text", (r) => r.status],
  ["step", "smallint", (r) => r.step],
  ["job_id", "uuid", (r) => r.jobId],
  ["failure_class", "text", (r) => r.failureClass],
];
const ALL = [...COLUMNS, ...DELIVERY_COLUMNS];
const ATTEMPT_NAMES = COLUMNS.map(([name]) => name).join(", ");

// The deliveries are there: ON CONFLICT finds each by its primary key, in its one partition. As an UPDATE … FROM this is
// a join, which the planner turns round (every pending row against the batch) whenever its statistics are stale.
const SETTLE = `
  with r as materialized (
    select * from unnest(${ALL.map(([, type], i) => `$${i + 2}::${type}[]`).join(", ")})
      as r (${ALL.map(([name]) => name).join(", ")})
  ), settled as (
    insert into deliveries as d (tenant_id, id, event_id, endpoint_id, event_type, status, attempts, step, trigger,
                                 next_attempt_at, job_id, failure_class, failure_reason, created_at, delivered_at)
    select tenant_id, delivery_id, event_id, endpoint_id, event_type, status, number, step, 'schedule',
           next_attempt_at, job_id, failure_class, error_code, started_at,
           case when status = 'delivered' then now() end
      from r
    on conflict (tenant_id, id) do update
       set status = excluded.status, attempts = excluded.attempts, step = excluded.step, trigger = excluded.trigger,
           next_attempt_at = excluded.next_attempt_at, job_id = excluded.job_id,
           failure_class = excluded.failure_class, failure_reason = excluded.failure_reason,
           delivered_at = excluded.delivered_at
     where d.status = 'pending' and d.attempts = excluded.attempts - 1
    returning id
  ), logged as (
    insert into attempts (${ATTEMPT_NAMES}, worker)
    select ${ATTEMPT_NAMES.replaceAll(/\b(\w+)\b/g, "r.$1")}, $1 from r where r.delivery_id in (select id from settled)
  )
  select id from settled`;

/**
 * Writes attempts and what becomes of their deliveries, in one statement. A result counts only for the try that the
 * delivery waits for: gives the ids of the deliveries it counted for.
 */
export async function settleAttempts(
  tx: Tx,
  worker: number,
  rows: readonly SettleRow[],
): Promise<Set<string>> {
  const values = ALL.map(([, , value]) => rows.map(value));
  const settled = await tx.query<{ id: string }>(SETTLE, [worker, ...values], "settle-attempts");
  return new Set(settled.map((row) => row.id));
}

/**
 * Completes the log where a worker was given up but had an answer after all: its lost try gets the answer, the
 * delivery's state stays as others have left it.
 */
export async function completeLostTry(tx: Tx, row: SettleRow): Promise<void> {
  await tx.query(
    `update attempts set duration_ms = $4, outcome = $5, error_code = $6, response_status = $7, remote_address = $8,
            request_headers = $9, started_at = $10
      where tenant_id = $1 and delivery_id = $2 and number = $3 and outcome = 'lost'`,
    [
      row.tenantId,
      row.deliveryId,
      row.number,
      row.durationMs,
      row.outcome,
      row.errorCode,
      row.responseStatus,
      row.remoteAddress,
      row.requestHeaders,
      row.startedAt,
    ],
  );
}

/** Closes deliveries whose endpoint takes none any more. */
export async function cancelDeliveries(
  tx: Tx,
  tenantIds: readonly string[],
  ids: readonly string[],
): Promise<void> {
  await tx.query(
    `update deliveries d set status = 'cancelled', next_attempt_at = null
       from unnest($1::uuid[], $2::uuid[]) as c (tenant_id, id)
      where d.tenant_id = c.tenant_id and d.id = c.id and ${IS_PENDING}`,
    [tenantIds, ids],
  );
}
