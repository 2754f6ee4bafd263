import type { PgBoss } from "pg-boss";
import { uuidv7 } from "uuidv7";
import type { Tx } from "#db/client.ts";
import { lockJob } from "#db/queries/close-delivery.ts";
import {
  findOrderedState,
  lockOrderedJob,
  type OrderedEndpoint,
  setOrderedJob,
} from "#db/queries/ordered.ts";
import { enqueueDeliveries, within } from "../queue/boss.ts";
import { QUEUES } from "../queue/queues.ts";

const ORDERED = QUEUES.deliverOrdered.name;

/**
 * Has the queue of an endpoint looked at now, because what its job waits for may be no more: the head was cancelled, the
 * endpoint enabled, or it is not ordered any longer. Nothing happens where there is no queue, or where a worker has its job
 * at this moment and looks again when that is done.
 */
export async function lookNow(tx: Tx, boss: PgBoss, endpoint: OrderedEndpoint): Promise<void> {
  const current = await lockOrderedJob(tx, endpoint);
  if (current === undefined || (await lockJob(tx, [ORDERED], current))) return;
  await boss.deleteJob(ORDERED, current, within(tx));
  await giveJob(tx, boss, endpoint);
}

/** Gives an endpoint a new job that looks at its queue, be it that it has none; the former one counts no more. */
export async function giveJob(
  tx: Tx,
  boss: PgBoss,
  { tenantId, endpointId }: OrderedEndpoint,
): Promise<void> {
  const id = uuidv7();
  await setOrderedJob(tx, { tenantId, endpointId }, id);
  const ordered = { endpointId, size: 1 };
  await enqueueDeliveries(boss, tx, ORDERED, [{ id, tenantId, deliveryIds: [], ordered }]);
}

/**
 * To be called when an endpoint has become ordered or is so no more. What was pending before takes its place in the queue
 * first; nothing is sent meanwhile. In the other direction the queue is dissolved into what every other endpoint has.
 */
export async function followOrdered(tx: Tx, boss: PgBoss, endpoint: OrderedEndpoint): Promise<void> {
  const state = await findOrderedState(tx, endpoint);
  if (!state?.ordered) return lookNow(tx, boss, endpoint);
  await lockOrderedJob(tx, endpoint);
  const id = uuidv7();
  await setOrderedJob(tx, endpoint, id);
  await boss.insert(QUEUES.queuePending.name, [{ id, data: endpoint }], within(tx));
}
