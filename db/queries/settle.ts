import type { Tx } from "../client.ts";
import { type Columns, namesOf, rowsOf, valuesOf } from "../columns.ts";
import { MAY_BE_TRIED } from "./delivering.ts";
import { dayOf, nameOf, type Reach, reachOf } from "./id-range.ts";
import { boundsOf, runsOf } from "./id-runs.ts";

/** One try with what it makes of its delivery. */
export interface SettleRow {
  tenantId: string;
  deliveryId: string;
  /** Where the row of the delivery lay when it was read. */
  ctid: string;
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
  /** It waits for its next try at the head of its endpoint's queue, which looks after it: no job is made for it. */
  waitsInQueue: boolean;
}

const DELIVERY: Columns<SettleRow> = [
  ["tenant_id", "uuid", (r) => r.tenantId],
  ["id", "uuid", (r) => r.deliveryId],
  ["status", "text", (r) => r.status],
  ["attempts", "int", (r) => r.number],
  ["step", "smallint", (r) => r.step],
  ["next_attempt_at", "timestamptz", (r) => r.nextAttemptAt],
  ["job_id", "uuid", (r) => r.jobId],
  ["failure_class", "text", (r) => r.failureClass],
  ["failure_reason", "text", (r) => r.errorCode],
];
const ATTEMPT: Columns<SettleRow> = [
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
/** What a lost try gets when its answer turns up; the rest was known before. */
const KNOWN = new Set(["tenant_id", "delivery_id", "id", "number", "trigger", "next_attempt_at"]);
const ANSWER = namesOf(ATTEMPT).filter((name) => !KNOWN.has(name));

// Cancelled while the request was under way: an answer that settles it counts all the same, one that does not is the last.
const STAYS_CANCELLED = "d.status = 'cancelled' and r.status = 'pending'";

const DELIVERED: Columns<SettleRow> = [
  ["tenant_id", "uuid", (r) => r.tenantId],
  ["id", "uuid", (r) => r.deliveryId],
  ["ctid", "tid", (r) => r.ctid],
  ["attempts", "int", (r) => r.number],
  ["step", "smallint", (r) => r.step],
];

/**
 * By where the rows lay, which takes no look-up; and by runs what `undelivered` tells of them. The key is compared as no index
 * can serve it: that leaves one plan, and so it can be prepared. Its answer is one row: nearly always all of them are found.
 */
const noteDelivered = ({ table }: Reach) => `
  with settled as (
    update ${table} d
       set status = 'delivered', next_attempt_at = null, attempts = r.attempts, step = r.step, trigger = 'schedule',
           failure_class = null, failure_reason = null, delivered_at = now()
      from (${rowsOf(DELIVERED)}) r
     where d.ctid = r.ctid and d.tenant_id is not distinct from r.tenant_id and d.id is not distinct from r.id
       and ${MAY_BE_TRIED} and d.attempts = r.attempts - 1
    returning d.tenant_id, d.id, d.attempts
  ), removed as (
    delete from undelivered where ctid = any(array(
      select u.ctid
        from unnest($6::uuid[], $7::uuid[], $8::uuid[]) as r (tenant_id, least, greatest),
             lateral (select ctid, tenant_id, id from undelivered u
                       where u.tenant_id = r.tenant_id and u.status = 'pending' and u.id >= r.least and u.id <= r.greatest offset 0) u
       where ((u.tenant_id, u.id) in (select tenant_id, id from settled)) is true))
  )
  select count(*)::int as count,
         case when count(*) < cardinality($2) then (select json_object_agg(id, attempts) from settled) end as "notAll"
    from settled`;

// Written so that no index serves the status: the one way that is left is a look-up by primary key for each row of the batch.
const settle = ({ table, condition }: Reach) => `
  with settled as (
    update ${table} d
       set status = case when ${STAYS_CANCELLED} then d.status else r.status end,
           next_attempt_at = case when ${STAYS_CANCELLED} then null else r.next_attempt_at end,
           attempts = r.attempts, step = r.step, trigger = 'schedule', job_id = r.job_id,
           failure_class = r.failure_class, failure_reason = r.failure_reason,
           delivered_at = case when r.status = 'delivered' then now() end
      from (${rowsOf(DELIVERY)}) r
     where d.tenant_id = r.tenant_id and d.id = r.id and ${condition}
       and ${MAY_BE_TRIED} and d.attempts = r.attempts - 1
    returning d.tenant_id, d.id, d.attempts, d.status
  ), removed as (
    delete from undelivered where ctid = any(array(
      select u.ctid from settled s,
             lateral (select ctid from undelivered u
                       where u.tenant_id = s.tenant_id and u.status = 'pending' and u.id = s.id offset 0) u
       where s.status = 'delivered'))
  )
  select id, attempts, status from settled`;

/** What became of a delivery: the try that counted, and its status. */
export interface Settled extends Record<string, unknown> {
  attempts: number;
  status: string;
}

/**
 * Writes what becomes of deliveries, and gives it by their ids. A result counts only for the try that its delivery waits for,
 * and there may be results of earlier ones, even of the same delivery: the number tells which counted. Repeated, it changes nothing.
 */
export async function settleDeliveries(tx: Tx, rows: readonly SettleRow[]): Promise<Map<string, Settled>> {
  const days = Map.groupBy(rows, ({ deliveryId }) => dayOf(deliveryId)).values();
  const settled = new Map<string, Settled>();
  await Promise.all(Array.from(days, (ofDay) => settleDay(tx, ofDay, settled)));
  return settled;
}

/**
 * Nearly all of them are delivered, and where they were when they were read: those are written by the shortest way, and the
 * others, and what is not found there any more, by the one that fits them all.
 */
async function settleDay(tx: Tx, rows: readonly SettleRow[], settled: Map<string, Settled>): Promise<void> {
  const reach = reachOf("deliveries", rows.map(idOf));
  const { delivered = [], others = [] } = Object.groupBy(rows, ({ status }) =>
    status === "delivered" && reach.day !== null ? "delivered" : "others",
  );
  if (delivered.length > 0) others.push(...(await settleDelivered(tx, reach, delivered, settled)));
  if (others.length === 0) return;
  const found = await tx.query<Settled & { id: string }>(settle(reach), valuesOf(DELIVERY, others));
  for (const row of found) settled.set(row.id, row);
}

/** Gives those that were not found. */
async function settleDelivered(
  tx: Tx,
  reach: Reach,
  rows: readonly SettleRow[],
  settled: Map<string, Settled>,
): Promise<SettleRow[]> {
  const [found] = await tx.query<{ count: number; notAll: Record<string, number> | null }>(
    noteDelivered(reach),
    [
      ...valuesOf(DELIVERED, rows),
      ...boundsOf(runsOf({ tenantIds: rows.map(({ tenantId }) => tenantId), ids: rows.map(idOf) })),
    ],
    nameOf("note-delivered", reach),
  );
  const isAll = found?.count === rows.length;
  const missed: SettleRow[] = [];
  for (const row of rows) {
    if (isAll || found?.notAll?.[row.deliveryId] === row.number)
      settled.set(row.deliveryId, { attempts: row.number, status: row.status });
    else missed.push(row);
  }
  return missed;
}

const idOf = ({ deliveryId }: SettleRow) => deliveryId;

const LOG = `
  insert into attempts (${namesOf(ATTEMPT).join(", ")}, worker)
  select r.*, $${ATTEMPT.length + 1} from (${rowsOf(ATTEMPT)}) r`;

/** Logs the tries that counted. */
export async function logAttempts(tx: Tx, worker: number, rows: readonly SettleRow[]): Promise<void> {
  await tx.query(LOG, [...valuesOf(ATTEMPT, rows), worker], "log-attempts");
}

const COMPLETE = `
  update attempts a
     set ${ANSWER.map((name) => `${name} = r.${name}`).join(", ")}
    from (${rowsOf(ATTEMPT)}) r
   where a.tenant_id = r.tenant_id and a.delivery_id = r.delivery_id and a.number = r.number and a.outcome = 'lost'
     -- An answer may repeat what the event carried: it comes too late for one whose data was expunged.
     and not exists (select 1 from deliveries d join events e on e.tenant_id = d.tenant_id and e.id = d.event_id
                      where d.tenant_id = r.tenant_id and d.id = r.delivery_id and e.expunged_at is not null)`;

/**
 * Completes the log where a worker was given up but had an answer after all: its lost tries get the answers, the
 * deliveries stay as others have left them.
 */
export async function completeLostTries(tx: Tx, rows: readonly SettleRow[]): Promise<void> {
  await tx.query(COMPLETE, valuesOf(ATTEMPT, rows));
}
