import type { PgBoss } from "pg-boss";
import { uuidv7 } from "uuidv7";
import type { Tx } from "#db/client.ts";
import { failLost, type LostDelivery, moveToJobs } from "#db/queries/delivering.ts";
import { enqueueDeliveries } from "#server/queue/boss.ts";
import { type DeliveryQueue, QUEUES } from "#server/queue/queues.ts";
import { tellOfFailed } from "./aftermath.ts";

const SUSPECT = QUEUES.deliverSuspect.name;
/**
 * With its second lost try in a row a delivery is suspected of it, with its fourth it is held responsible: twice alone, since
 * workers are killed for other reasons too, and some delivery is always under way when they are.
 */
const SUSPECTED_AFTER = 2;
export const FAILED_AFTER = 4;

/**
 * What may have taken its workers with it goes into a job of its own, of which a worker takes one at a time: should that
 * worker vanish too, and the next one, it was this delivery or a great coincidence, and it fails instead of going round for ever.
 * Others were only in the same worker, and are sent. Must be the last thing that `tx` does.
 */
export async function separateSuspects(
  tx: Tx,
  boss: PgBoss,
  { queue, lost }: { queue: DeliveryQueue; lost: readonly LostDelivery[] },
): Promise<void> {
  const failed = lost.filter(({ lostInRow }) => queue === SUSPECT && lostInRow >= FAILED_AFTER);
  const suspects = lost.filter(({ lostInRow }) => queue !== SUSPECT && lostInRow >= SUSPECTED_AFTER);
  if (suspects.length > 0) {
    const moves = suspects.map((suspect) => ({ ...suspect, toJobId: uuidv7() }));
    const jobs = moves.map(({ toJobId, tenantId, id }) => ({ id: toJobId, tenantId, deliveryIds: [id] }));
    await enqueueDeliveries(boss, tx, SUSPECT, jobs);
    await moveToJobs(tx, moves);
  }
  if (failed.length > 0) await failSuspects(tx, boss, failed);
}

/** Ends deliveries that are held responsible, and tells of it. Must be the last thing that `tx` does. */
export async function failSuspects(tx: Tx, boss: PgBoss, failed: readonly LostDelivery[]): Promise<void> {
  await failLost(tx, failed);
  const how = { failureClass: "exhausted", errorCode: "worker_lost" };
  await tellOfFailed(
    tx,
    { boss, now: () => new Date(), wakeWorkers() {} },
    failed.map((each) => ({ ...each, ...how, deliveryId: each.id })),
  );
}
