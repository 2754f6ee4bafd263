import type { PgBoss } from "pg-boss";
import { uuidv7 } from "uuidv7";
import { type Db, withTransaction } from "#db/client.ts";
import { moveToJobs } from "#db/queries/delivering.ts";
import { listStrays } from "#db/queries/reconcile.ts";
import { enqueueDeliveries, type NewDeliveryJob } from "#server/queue/boss.ts";
import { MAX_CHUNK, QUEUES } from "#server/queue/queues.ts";

const OVERDUE_SECONDS = 60;
const STRAYS_PER_ROUND = 1_000;

/**
 * Gives a new job to every delivery that is due and has none: what a lost or deleted job leaves behind. The truth is
 * the delivery; a job only says when to look at it. Gives how many there were in this round.
 */
export function reconcile({ db, boss }: { db: Db; boss: PgBoss }): Promise<number> {
  return withTransaction(db, async (tx) => {
    const strays = await listStrays(tx, OVERDUE_SECONDS, STRAYS_PER_ROUND);
    const jobs: NewDeliveryJob[] = [];
    for (const [tenantId, mine] of Map.groupBy(strays, (stray) => stray.tenantId))
      for (let i = 0; i < mine.length; i += MAX_CHUNK)
        jobs.push({ id: uuidv7(), tenantId, deliveryIds: mine.slice(i, i + MAX_CHUNK).map((stray) => stray.id) });
    await enqueueDeliveries(boss, tx, QUEUES.deliver.name, jobs);
    await moveToJobs(tx, {
      tenantIds: jobs.flatMap((job) => job.deliveryIds.map(() => job.tenantId)),
      ids: jobs.flatMap((job) => job.deliveryIds),
      jobIds: jobs.flatMap((job) => job.deliveryIds.map(() => job.id)),
    });
    return strays.length;
  });
}
