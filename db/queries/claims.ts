import type { Conn, Tx } from "../client.ts";

/** Class of the advisory locks that workers hold: (class, worker number). */
export const WORKER_LOCK_CLASS = 7081;

export interface ClaimRow {
  jobId: string;
  queue: string;
  tenantId: string;
  deliveryIds: readonly string[];
}

/** Notes that `worker` holds jobs. A claim that another worker left on the same job is taken over. */
export async function insertClaims(tx: Tx, worker: number, claims: readonly ClaimRow[]): Promise<void> {
  await tx.query(
    `insert into claims (job_id, queue, worker, tenant_id, delivery_ids)
     select job_id, queue, $1, tenant_id, delivery_ids
       from json_to_recordset($2) as c (job_id uuid, queue text, tenant_id uuid, delivery_ids uuid[])
     on conflict (job_id) do update
        set worker = excluded.worker, queue = excluded.queue, claimed_at = now()`,
    [
      worker,
      JSON.stringify(
        claims.map((claim) => ({
          job_id: claim.jobId,
          queue: claim.queue,
          tenant_id: claim.tenantId,
          delivery_ids: claim.deliveryIds,
        })),
      ),
    ],
    "insert-claims",
  );
}

/** Names the deliveries that a claimed job is of, where that is found out after it was claimed. */
export async function nameClaimed(tx: Tx, jobId: string, deliveryIds: readonly string[]): Promise<void> {
  await tx.query(
    "update claims set delivery_ids = $2 where job_id = $1",
    [jobId, deliveryIds],
    "name-claimed",
  );
}

/** Forgets the claims on jobs that are done. A job that is active is somebody's, who has taken the claim over. */
export async function deleteClaims(tx: Tx, jobIds: readonly string[]): Promise<void> {
  await tx.query(
    `delete from claims c where c.job_id = any($1)
        and not exists (select 1 from pgboss.job j where j.name = c.queue and j.id = c.job_id and j.state = 'active')`,
    [jobIds],
    "delete-claims",
  );
}

/** Moves the claims on jobs from any of a worker's former numbers to its new one; gives the jobs that it still holds. */
export async function renumberClaims(
  conn: Conn,
  claims: { jobIds: readonly string[]; from: readonly number[]; to: number },
): Promise<string[]> {
  const rows = await conn.query<{ jobId: string }>(
    `update claims set worker = $3 where job_id = any($1) and worker = any($2) returning job_id as "jobId"`,
    [claims.jobIds, claims.from, claims.to],
  );
  return rows.map((row) => row.jobId);
}

/**
 * The workers other than `except` that hold claims and whose locks nobody holds: their processes are gone, or their sessions
 * were cut. Those who look share the locks for as long as they do, so that they are not taken for the workers by each other.
 */
export async function listGone(conn: Conn, except: number): Promise<number[]> {
  const rows = await conn.query<{ worker: number }>(
    `select worker from (select distinct worker from claims where worker <> $2 offset 0) c
      where pg_try_advisory_xact_lock_shared($1, worker)`,
    [WORKER_LOCK_CLASS, except],
    "list-gone",
  );
  return rows.map((row) => row.worker);
}

/** Whether nobody holds the lock of a worker: its process is gone, or its session was cut. */
export async function isWorkerGone(conn: Conn, worker: number): Promise<boolean> {
  const [lock] = await conn.query<{ free: boolean }>("select pg_try_advisory_xact_lock($1, $2) as free", [
    WORKER_LOCK_CLASS,
    worker,
  ]);
  return lock?.free ?? false;
}

/** Takes the claims of a worker that is gone. Its lock keeps two sweepers apart until the transaction ends. */
export async function takeClaimsOfGone(tx: Tx, worker: number): Promise<{ jobId: string; queue: string }[]> {
  if (!(await isWorkerGone(tx, worker))) return [];
  return tx.query(`delete from claims where worker = $1 returning job_id as "jobId", queue`, [worker]);
}
