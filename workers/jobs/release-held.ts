import type { PgBoss } from "pg-boss";
import { type Tx, withTransaction } from "#db/client.ts";
import { listHeld, releaseDeliveries } from "#db/queries/holding.ts";
import { findOrderedState } from "#db/queries/ordered.ts";
import type { Services } from "#server/context.ts";
import { lookNow } from "#server/ordered/look-now.ts";
import { enqueueDeliveries, type NewDeliveryJob } from "#server/queue/boss.ts";
import { chunkFor } from "#server/queue/chunk-for.ts";
import { type EndpointJob, QUEUES } from "#server/queue/queues.ts";

const RELEASE_AT_ONCE = 1_000;
const BEFORE_ALL = "00000000-0000-0000-0000-000000000000";

/**
 * Makes due what was held for one endpoint that was enabled, oldest first, a thousand deliveries a transaction. They go the
 * way of replays, so that however many there are, fresh work of others does not wait behind them. Stops when the endpoint
 * is not enabled any more. Gives whether there was such an endpoint; a job that is not finished is handed out again when it
 * expires.
 */
export async function releaseHeld({
  db,
  boss,
  wakeWorkers,
}: Pick<Services, "db" | "boss" | "wakeWorkers">): Promise<boolean> {
  const [job] = await boss.fetch<EndpointJob>(QUEUES.releaseHeld.name);
  if (!job) return false;
  const isOrdered = (await findOrderedState(db, job.data))?.ordered ?? false;
  // What is held of an ordered endpoint is in its queue.
  await withTransaction(db, (tx) => lookNow(tx, boss, job.data));
  if (isOrdered) wakeWorkers();
  for (let after: string | undefined = isOrdered ? undefined : BEFORE_ALL; after !== undefined; )
    after = await withTransaction(db, async (tx) => {
      const last = await releasePart(tx, boss, job.data, after ?? BEFORE_ALL);
      if (last !== undefined) tx.afterCommit(wakeWorkers);
      return last;
    });
  await boss.deleteJob(QUEUES.releaseHeld.name, job.id);
  return true;
}

/** Gives the last delivery that was released. */
async function releasePart(
  tx: Tx,
  boss: PgBoss,
  endpoint: EndpointJob,
  after: string,
): Promise<string | undefined> {
  const held = await listHeld(tx, { ...endpoint, after, limit: RELEASE_AT_ONCE });
  const jobs: NewDeliveryJob[] = [];
  const released = held.map((id) => ({ id, jobId: chunkFor(jobs, endpoint.tenantId, id) }));
  await enqueueDeliveries(boss, tx, QUEUES.deliverReplay.name, jobs);
  await releaseDeliveries(tx, endpoint.tenantId, released);
  return held.at(-1);
}
