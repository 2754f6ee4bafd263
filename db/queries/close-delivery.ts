import type { Tx } from "../client.ts";
import { CANCEL_UNSENT } from "./delivering.ts";

/** A delivery to be closed by somebody, under the job that will look at it. */
export interface Closing {
  tenantId: string;
  id: string;
}

/** Closes a failed delivery as seen to; gives whether it was failed. Why it failed stays. */
export async function dismissFailed(tx: Tx, { tenantId, id }: Closing): Promise<boolean> {
  const rows = await tx.query(
    "update deliveries set status = 'dismissed' where tenant_id = $1 and id = $2 and status = 'failed' returning id",
    [tenantId, id],
  );
  return rows.length === 1;
}

/** The job that will look at a delivery; `undefined` when nothing is planned. */
export async function jobOfPending(tx: Tx, { tenantId, id }: Closing): Promise<string | undefined> {
  const [row] = await tx.query<{ jobId: string }>(
    `select job_id as "jobId" from deliveries where tenant_id = $1 and id = $2 and status = 'pending'`,
    [tenantId, id],
  );
  return row?.jobId;
}

/**
 * Keeps a job from workers until `tx` ends: they pass over a row that is locked. Gives whether one has it already.
 * A job that does not exist is nobody's.
 */
export function lockJob(tx: Tx, queues: readonly string[], jobId: string): Promise<boolean> {
  return lockJobs(tx, queues, [jobId]);
}

/** As `lockJob`, for several; gives whether a worker has any of them. */
export async function lockJobs(
  tx: Tx,
  queues: readonly string[],
  jobIds: readonly string[],
): Promise<boolean> {
  const jobs = await tx.query<{ held: boolean }>(
    `select state = 'active' as held from pgboss.job where name = any($1) and id = any($2) order by id for update`,
    [queues, jobIds],
  );
  return jobs.some(({ held }) => held);
}

/** Cancels a delivery that waits for this very job, which no worker has; gives whether it did. */
export async function cancelPending(
  tx: Tx,
  { tenantId, id, jobId }: Closing & { jobId: string },
): Promise<boolean> {
  const rows = await tx.query(
    `update deliveries d set ${CANCEL_UNSENT}
      where tenant_id = $1 and id = $2 and job_id = $3 and status = 'pending' returning id`,
    [tenantId, id, jobId],
  );
  return rows.length === 1;
}
