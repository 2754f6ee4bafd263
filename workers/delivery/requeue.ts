import type { PgBoss } from "pg-boss";
import { uuidv7 } from "uuidv7";
import { type Db, withTransaction } from "#db/client.ts";
import { moveToJobs } from "#db/queries/delivering.ts";
import { enqueueDeliveries, type NewDeliveryJob } from "#server/queue/boss.ts";
import { type DeliveryQueue, MAX_CHUNK, QUEUES } from "#server/queue/queues.ts";
import type { Task } from "./types.ts";

/**
 * Moves deliveries that do not fit their lane soon to the slow queue, in jobs of one endpoint each, no larger than
 * what the endpoint takes at a time. Their chunks need not wait for them any more.
 */
export function putOff(deps: { db: Db; boss: PgBoss }, tasks: readonly Task[]): Promise<void> {
  const jobs: NewDeliveryJob[] = [];
  for (const [endpointId, mine] of Map.groupBy(tasks, (task) => task.due.endpointId)) {
    const size = Math.min(MAX_CHUNK, mine[0]?.target.maxInFlight ?? 1);
    jobs.push(...jobsOf(mine, size).map((job) => ({ ...job, group: endpointId })));
  }
  return move(deps, QUEUES.deliverSlow.name, jobs);
}

/** Gives back what a stopping worker has not begun, to the queues it came from: not lost, so not logged as lost. */
export async function giveBack(deps: { db: Db; boss: PgBoss }, tasks: readonly Task[]): Promise<void> {
  const isSlow = (task: Task) => task.chunk.queue === QUEUES.deliverSlow.name;
  await putOff(deps, tasks.filter(isSlow));
  const others = tasks.filter((task) => !isSlow(task));
  for (const [queue, mine] of Map.groupBy(others, (task) => task.chunk.queue))
    await move(deps, queue, jobsOf(mine, MAX_CHUNK));
}

function jobsOf(tasks: readonly Task[], size: number): NewDeliveryJob[] {
  const jobs: NewDeliveryJob[] = [];
  for (const [tenantId, mine] of Map.groupBy(tasks, (task) => task.due.tenantId))
    for (let i = 0; i < mine.length; i += size)
      jobs.push({ id: uuidv7(), tenantId, deliveryIds: mine.slice(i, i + size).map((task) => task.due.id) });
  return jobs;
}

async function move(
  { db, boss }: { db: Db; boss: PgBoss },
  queue: DeliveryQueue,
  jobs: NewDeliveryJob[],
): Promise<void> {
  if (jobs.length === 0) return;
  await withTransaction(db, async (tx) => {
    await enqueueDeliveries(boss, tx, queue, jobs);
    await moveToJobs(tx, {
      tenantIds: jobs.flatMap((job) => job.deliveryIds.map(() => job.tenantId)),
      ids: jobs.flatMap((job) => job.deliveryIds),
      jobIds: jobs.flatMap((job) => job.deliveryIds.map(() => job.id)),
    });
  });
}
