import type { Conn, Tx } from "../client.ts";
import { NEWEST_SECRET_FIRST } from "./endpoint-secrets.ts";

/**
 * A pending delivery, written so that no index serves it: whoever has the ids finds the rows by them, and must not be
 * led to walk through all that is pending. For the same reason statements that join are not prepared: they are planned
 * for the size that the tables have now.
 */
export const IS_PENDING = "d.status || '' = 'pending'";

/**
 * The same of one that a try may be told of: a request that is under way outlives the cancelling of its delivery. By what it
 * is not, since that is taken to hold of nearly every row: who joins with many of them must not expect few.
 */
export const MAY_BE_TRIED = "d.status || '' not in ('delivered', 'failed', 'dismissed')";

/**
 * What cancels a delivery that surely is not under way. No job has a delivery's own id: should the job that it had be lost, it
 * had nothing to do with it.
 */
export const CANCEL_UNSENT = "status = 'cancelled', next_attempt_at = null, job_id = d.id";

/** Deliveries as jobs name them, as parallel lists. */
export interface Named {
  tenantIds: readonly string[];
  ids: readonly string[];
  jobIds: readonly string[];
}

/** A delivery whose worker vanished, with the number of the lost try. */
export interface LostDelivery extends Seen {
  eventId: string;
  eventType: string;
  endpointId: string;
  /** How many of its tries in a row are lost by now; from four on no more are counted. 0: it was cancelled meanwhile. */
  lostInRow: number;
}

/**
 * Logs the try that a vanished worker may have made, for each delivery of its jobs that it left open, and counts it. One that
 * was cancelled meanwhile has its try too, and is rid of its job, so that it has it once.
 */
export async function logLostTries(
  tx: Tx,
  lost: Named & { attemptIds: readonly string[]; worker: number },
): Promise<LostDelivery[]> {
  return tx.query<LostDelivery & Record<string, unknown>>(
    `with c as (select * from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[]) as c (tenant_id, id, job_id, attempt_id)),
     counted as (
       update deliveries d set attempts = d.attempts + 1, failure_reason = 'worker_lost',
              job_id = case d.status when 'cancelled' then d.id else d.job_id end
         from c where d.tenant_id = c.tenant_id and d.id = c.id and d.job_id = c.job_id
               and ${MAY_BE_TRIED}
       returning d.tenant_id, d.id, d.job_id, d.endpoint_id, d.event_id, d.event_type, d.attempts, d.trigger, d.status, c.attempt_id
     ), logged as (
       insert into attempts (tenant_id, id, delivery_id, number, trigger, started_at, outcome, error_code, url, worker, next_attempt_at)
       select n.tenant_id, n.attempt_id, n.id, n.attempts, n.trigger, now(), 'lost', 'worker_lost', w.url, $5,
              case n.status when 'pending' then now() end
         from counted n join webhook_endpoints w on w.tenant_id = n.tenant_id and w.id = n.endpoint_id
     )
     select n.tenant_id as "tenantId", n.id, n.job_id as "jobId", n.attempts, n.endpoint_id as "endpointId",
            n.event_id as "eventId", n.event_type as "eventType",
            case when n.status = 'cancelled' then 0
                 when not ${wasLost(1)} then 1 when not ${wasLost(2)} then 2 when not ${wasLost(3)} then 3 else 4 end as "lostInRow"
       from counted n`,
    [lost.tenantIds, lost.ids, lost.jobIds, lost.attemptIds, lost.worker],
  );
}

/** Whether the try so many before the present one was lost. The first has none before it, which nobody looks for. */
function wasLost(back: number): string {
  return `(n.attempts > ${back} and exists (
    select 1 from attempts a
     where a.tenant_id = n.tenant_id and a.delivery_id = n.id and a.number = n.attempts - ${back} and a.outcome = 'lost'))`;
}

/** Ends deliveries whose last tries were all lost; those that are not as they were seen stay as they are. */
export async function failLost(tx: Tx, deliveries: readonly Seen[]): Promise<void> {
  await tx.query(
    `with failed as (
       update deliveries d set status = 'failed', failure_class = 'exhausted', next_attempt_at = null
         from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::int[]) as c (tenant_id, id, job_id, attempts)
        where d.tenant_id = c.tenant_id and d.id = c.id and d.job_id = c.job_id and d.attempts = c.attempts
          and ${IS_PENDING}
       returning d.tenant_id, d.id, d.attempts
     )
     update attempts a set next_attempt_at = null
       from failed f where a.tenant_id = f.tenant_id and a.delivery_id = f.id and a.number = f.attempts`,
    columnsOf(deliveries),
  );
}

/** A delivery as somebody has read it: whoever has had it since has left another job or another number of attempts. */
export interface Seen {
  tenantId: string;
  id: string;
  jobId: string;
  attempts: number;
}

/** Lets other jobs look at deliveries, `notBefore` some time; those that are not as they were seen stay as they are. */
export async function moveToJobs(
  tx: Tx,
  moves: readonly (Seen & { toJobId: string; notBefore?: Date | undefined })[],
): Promise<void> {
  await tx.query(
    `update deliveries d set job_id = m.to_job_id, next_attempt_at = coalesce(m.not_before, d.next_attempt_at)
       from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::int[], $5::uuid[], $6::timestamptz[])
         as m (tenant_id, id, job_id, attempts, to_job_id, not_before)
      where d.tenant_id = m.tenant_id and d.id = m.id and d.job_id = m.job_id and d.attempts = m.attempts
        and ${IS_PENDING}`,
    [...columnsOf(moves), moves.map((move) => move.toJobId), moves.map((move) => move.notBefore ?? null)],
  );
}

/** Closes deliveries whose endpoint takes none any more, which were not sent; those that are not as they were seen stay as they are. */
export async function cancelDeliveries(tx: Tx, deliveries: readonly Seen[]): Promise<void> {
  await tx.query(
    `update deliveries d set ${CANCEL_UNSENT}
       from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::int[]) as c (tenant_id, id, job_id, attempts)
      where d.tenant_id = c.tenant_id and d.id = c.id and d.job_id = c.job_id and d.attempts = c.attempts
        and ${IS_PENDING}`,
    columnsOf(deliveries),
  );
}

function columnsOf(deliveries: readonly Seen[]) {
  return [
    deliveries.map((delivery) => delivery.tenantId),
    deliveries.map((delivery) => delivery.id),
    deliveries.map((delivery) => delivery.jobId),
    deliveries.map((delivery) => delivery.attempts),
  ];
}

/** What a worker knows of an endpoint: where to send, how to sign. */
export interface TargetRow extends Record<string, unknown> {
  url: string;
  signatureFormat: string;
  timeoutMs: number;
  maxInFlight: number;
  rateLimit: number | null;
  retryPolicy: { max_attempts: number | null; schedule_seconds: number[] | null } | null;
  version: string;
  sealedHeaders: string | null;
  sealedSigningKey: string | null;
  secrets: { kid: string; sealed: string; expiresAt: string | null }[];
}

/** One endpoint with the secrets that are not revoked, the newest first. */
export async function getTarget(
  conn: Conn,
  tenantId: string,
  endpointId: string,
): Promise<TargetRow | undefined> {
  const [row] = await conn.query<TargetRow>(
    `select w.url, w.signature_format as "signatureFormat", w.timeout_ms as "timeoutMs",
            w.max_in_flight as "maxInFlight", w.rate_limit as "rateLimit", w.retry_policy as "retryPolicy",
            w.version, w.sealed_headers as "sealedHeaders", w.sealed_signing_key as "sealedSigningKey",
            (select coalesce(json_agg(json_build_object('kid', s.kid, 'sealed', s.sealed, 'expiresAt', s.expires_at)
                                      order by ${NEWEST_SECRET_FIRST}), '[]')
               from endpoint_secrets s
              where s.tenant_id = w.tenant_id and s.endpoint_id = w.id and s.revoked_at is null) as secrets
       from webhook_endpoints w where w.tenant_id = $1 and w.id = $2`,
    [tenantId, endpointId],
    "get-target",
  );
  return row;
}
