import type { PgBoss } from "pg-boss";
import { type Db, withTransaction } from "#db/client.ts";
import { listStranded, lockOrderedJob, queuePending as queuePart } from "#db/queries/ordered.ts";
import type { Services } from "#server/context.ts";
import { giveJob } from "#server/ordered/look-now.ts";
import { DELIVERY_QUEUE_NAMES, type EndpointJob, QUEUES } from "#server/queue/queues.ts";

const QUEUE_AT_ONCE = 1_000;
const BEFORE_ALL = "00000000-0000-0000-0000-000000000000";

/**
 * Puts what is pending for one endpoint that has become ordered into its queue, a thousand deliveries a transaction, and
 * then has it sent from there. Gives whether there was such an endpoint; a job that is not finished is handed out again
 * when it expires.
 */
export async function queuePending({
  db,
  boss,
  wakeWorkers,
}: Pick<Services, "db" | "boss" | "wakeWorkers">): Promise<boolean> {
  const [job] = await boss.fetch<EndpointJob>(QUEUES.queuePending.name);
  if (!job) return false;
  for (let after: string | undefined = BEFORE_ALL; after !== undefined; )
    after = await withTransaction(db, (tx) =>
      queuePart(tx, { ...job.data, after: after ?? BEFORE_ALL, limit: QUEUE_AT_ONCE }),
    );
  await withTransaction(db, async (tx) => {
    // Another change may have given it another job by now.
    if ((await lockOrderedJob(tx, job.data)) === job.id) await giveJob(tx, boss, job.data);
    tx.afterCommit(wakeWorkers);
  });
  await boss.deleteJob(QUEUES.queuePending.name, job.id);
  return true;
}

/** Gives a job to each ordered endpoint whose queue has none: what a lost job leaves behind. Gives how many there were. */
export async function reconcileOrdered({ db, boss }: { db: Db; boss: PgBoss }): Promise<number> {
  const stranded = await listStranded(db, [...DELIVERY_QUEUE_NAMES, QUEUES.queuePending.name]);
  for (const endpoint of stranded)
    await withTransaction(db, async (tx) => {
      await lockOrderedJob(tx, endpoint);
      await giveJob(tx, boss, endpoint);
    });
  return stranded.length;
}
