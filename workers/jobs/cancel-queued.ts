import type { PgBoss } from "pg-boss";
import { type Db, withTransaction } from "#db/client.ts";
import { cancelPendingOfEndpoint } from "#db/queries/endpoint-health.ts";
import { lookNow } from "#server/ordered/look-now.ts";
import { type CancelQueuedJob, QUEUES } from "#server/queue/queues.ts";

const CANCEL_AT_ONCE = 1_000;
const BEFORE_ALL = "00000000-0000-0000-0000-000000000000";

/**
 * Closes what is queued for one endpoint that has been disabled, a thousand deliveries a transaction. Gives whether there
 * was such an endpoint. A job that is not finished is handed out again when it expires.
 */
export async function cancelQueued({ db, boss }: { db: Db; boss: PgBoss }): Promise<boolean> {
  const [job] = await boss.fetch<CancelQueuedJob>(QUEUES.cancelQueued.name);
  if (!job) return false;
  for (let after: string | undefined = BEFORE_ALL; after !== undefined; )
    after = await cancelPart(db, job.data, after);
  await withTransaction(db, (tx) => lookNow(tx, boss, job.data));
  await boss.deleteJob(QUEUES.cancelQueued.name, job.id);
  return true;
}

function cancelPart(db: Db, job: CancelQueuedJob, after: string): Promise<string | undefined> {
  return withTransaction(db, (tx) => cancelPendingOfEndpoint(tx, { ...job, after, limit: CANCEL_AT_ONCE }));
}
