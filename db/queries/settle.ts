import type { Tx } from "../client.ts";

/** One try with what it makes of its delivery. */
export interface SettleRow {
  tenantId: string;
  deliveryId: string;
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
  /** Of the retry. */
  jobId: string | null;
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
  ["status", "text", (r) => r.status],
  ["step", "smallint", (r) => r.step],
  ["job_id", "uuid", (r) => r.jobId],
  ["failure_class", "text", (r) => r.failureClass],
];
const ALL = [...COLUMNS, ...DELIVERY_COLUMNS];
const ATTEMPT_NAMES = COLUMNS.map(([name]) => name).join(", ");

const SETTLE = `
  with r as (
    select * from unnest(${ALL.map(([, type], i) => `$${i + 2}::${type}[]`).join(", ")})
      as r (${ALL.map(([name]) => name).join(", ")})
  ), settled as (
    update deliveries d
       set status = r.status, attempts = r.number, step = r.step, trigger = 'schedule',
           next_attempt_at = r.next_attempt_at, job_id = coalesce(r.job_id, d.job_id),
           failure_class = r.failure_class, failure_reason = r.error_code,
           delivered_at = case when r.status = 'delivered' then now() end
      from r
     where d.tenant_id = r.tenant_id and d.id = r.delivery_id
       and d.status = 'pending' and d.attempts = r.number - 1
    returning d.id
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
      where d.tenant_id = c.tenant_id and d.id = c.id and d.status = 'pending'`,
    [tenantIds, ids],
  );
}
