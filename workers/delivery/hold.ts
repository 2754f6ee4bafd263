import type { PgBoss } from "pg-boss";
import type { Tx } from "#db/client.ts";
import { moveToJobs } from "#db/queries/delivering.ts";
import { holdDeliveries, lockPaused } from "#db/queries/holding.ts";
import type { DueDelivery } from "#db/queries/list-due.ts";
import { enqueueDeliveries, type NewDeliveryJob } from "#server/queue/boss.ts";
import { chunkFor } from "#server/queue/chunk-for.ts";
import { QUEUES } from "#server/queue/queues.ts";

/**
 * Holds deliveries whose endpoint was found paused: no job looks at them until they are released. Where it is paused no
 * longer, nobody would release them any more, and they get new jobs instead.
 */
export async function holdOrRequeue(tx: Tx, boss: PgBoss, found: readonly DueDelivery[]): Promise<void> {
  for (const [endpointId, mine] of Map.groupBy(found, (due) => due.endpointId)) {
    const tenantId = mine[0]?.tenantId ?? "";
    if (await lockPaused(tx, tenantId, endpointId)) await holdDeliveries(tx, mine);
    else await requeue(tx, boss, tenantId, mine);
  }
}

async function requeue(tx: Tx, boss: PgBoss, tenantId: string, mine: readonly DueDelivery[]): Promise<void> {
  const jobs: NewDeliveryJob[] = [];
  const moves = mine.map((due) => ({ ...due, toJobId: chunkFor(jobs, tenantId, due.id) }));
  await enqueueDeliveries(boss, tx, QUEUES.deliver.name, jobs);
  await moveToJobs(tx, moves);
}
