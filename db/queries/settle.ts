import type { Tx } from "../client.ts";

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
const NAMES = COLUMNS.map(([name]) => name);
/** What a lost try gets when its answer turns up; the rest was known before. */
const KNOWN = new Set(["tenant_id", "delivery_id", "id", "number", "trigger", "next_attempt_at"]);
const ANSWER = NAMES.filter((name) => !KNOWN.has(name));

// Cancelled while the request was under way: an answer that settles it counts all the same, one that does not is the last.
const STAYS_CANCELLED = "d.status = 'cancelled' and excluded.status = 'pending'";
const NEXT =
  "case when r.delivery_id in (select id from settled where status = 'pending') then r.next_attempt_at end";

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
       set status = case when ${STAYS_CANCELLED} then d.status else excluded.status end,
           next_attempt_at = case when ${STAYS_CANCELLED} then null else excluded.next_attempt_at end,
           attempts = excluded.attempts, step = excluded.step, trigger = excluded.trigger, job_id = excluded.job_id,
           failure_class = excluded.failure_class, failure_reason = excluded.failure_reason,
           delivered_at = excluded.delivered_at
     where d.status in ('pending', 'cancelled') and d.attempts = excluded.attempts - 1
    returning id, status
  ), logged as (
    insert into attempts (${NAMES.join(", ")}, worker)
    select ${NAMES.map((name) => (name === "next_attempt_at" ? NEXT : `r.${name}`)).join(", ")}, $1
      from r where r.delivery_id in (select id from settled)
  )
  select id, status from settled`;

/**
 * Writes attempts and what becomes of their deliveries, in one statement. A result counts only for the try that the
 * delivery waits for: gives the deliveries that it counted for, with their status. Repeated, it changes nothing.
 */
export async function settleAttempts(
  tx: Tx,
  worker: number,
  rows: readonly SettleRow[],
): Promise<Map<string, string>> {
  const settled = await tx.query<{ id: string; status: string }>(
    SETTLE,
    [worker, ...valuesOf(ALL, rows)],
    "settle-attempts",
  );
  return new Map(settled.map((row) => [row.id, row.status]));
}

const COMPLETE = `
  update attempts a
     set ${ANSWER.map((name) => `${name} = r.${name}`).join(", ")}
    from unnest(${COLUMNS.map(([, type], i) => `$${i + 1}::${type}[]`).join(", ")})
      as r (${NAMES.join(", ")})
   where a.tenant_id = r.tenant_id and a.delivery_id = r.delivery_id and a.number = r.number and a.outcome = 'lost'`;

/**
 * Completes the log where a worker was given up but had an answer after all: its lost tries get the answers, the
 * deliveries stay as others have left them.
 */
export async function completeLostTries(tx: Tx, rows: readonly SettleRow[]): Promise<void> {
  await tx.query(COMPLETE, valuesOf(COLUMNS, rows));
}

function valuesOf(columns: typeof COLUMNS, rows: readonly SettleRow[]): unknown[][] {
  return columns.map(([, , value]) => rows.map(value));
}
