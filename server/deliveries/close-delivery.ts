import type { Delivery } from "#contracts/deliveries.ts";
import { toId } from "#contracts/ids.ts";
import type { Tx } from "#db/client.ts";
import { cancelPending, dismissFailed, jobOfPending, lockJob } from "#db/queries/close-delivery.ts";
import { type DeliveryRow, getDelivery } from "#db/queries/deliveries.ts";
import { appendAudit } from "../audit/append-audit.ts";
import type { Ctx } from "../context.ts";
import { lookNow } from "../ordered/look-now.ts";
import { DELIVERY_QUEUE_NAMES } from "../queue/queues.ts";
import { deliveryConflict } from "./delivery-conflict.ts";
import { toDelivery } from "./to-delivery.ts";

/** How often a delivery may get another job while it is being cancelled; each time takes a commit of somebody else's. */
const TRIES = 5;

/** What the audit log keeps of a closing. */
export interface Closing {
  reason?: string | undefined;
}

/** Closes a failed delivery as seen to. Throws `state-conflict` in any other state. */
export function dismissDelivery(ctx: Ctx, delivery: DeliveryRow, closing: Closing): Promise<Delivery> {
  return ctx.transaction(async (tx) => {
    if (!(await dismissFailed(tx, { tenantId: ctx.tenantId, id: delivery.id })))
      throw await deliveryConflict(
        tx,
        ctx,
        delivery,
        (state) => `Only a failed delivery can be dismissed; this one is ${state}.`,
      );
    return closed(tx, ctx, delivery, { ...closing, action: "dismiss", from: "failed" });
  });
}

/**
 * Closes a delivery that waits for an attempt, which then is never made. Throws `state-conflict` in any other state; a
 * request that is under way is not called back. No worker can take its job in the meantime.
 */
export function cancelDelivery(ctx: Ctx, delivery: DeliveryRow, closing: Closing): Promise<Delivery> {
  return ctx.transaction(async (tx) => {
    for (let attempt = 1; !(await cancelUnlessHeld(tx, ctx.tenantId, delivery.id)); attempt++) {
      const conflict = await deliveryConflict(
        tx,
        ctx,
        delivery,
        (state) => `Only a delivery that waits can be cancelled; this one is ${state}.`,
      );
      // By the time that it is looked at it may wait again.
      if (conflict.members.state !== "pending" || attempt === TRIES) throw conflict;
    }
    // Those behind it in the queue of an ordered endpoint need not wait for its retry.
    await lookNow(tx, ctx.boss, { tenantId: ctx.tenantId, endpointId: delivery.endpointId });
    tx.afterCommit(ctx.wakeWorkers);
    return closed(tx, ctx, delivery, { ...closing, action: "cancel", from: "pending" });
  });
}

/** Gives whether it did: not when a worker has the delivery's job, or when it has got another one just now. */
async function cancelUnlessHeld(tx: Tx, tenantId: string, id: string): Promise<boolean> {
  const jobId = await jobOfPending(tx, { tenantId, id });
  // The job first and the delivery after it, as workers take them.
  if (jobId === undefined || (await lockJob(tx, DELIVERY_QUEUE_NAMES, jobId))) return false;
  return cancelPending(tx, { tenantId, id, jobId });
}

async function closed(
  tx: Tx,
  ctx: Ctx,
  before: DeliveryRow,
  { action, from, reason }: Closing & { action: string; from: string },
): Promise<Delivery> {
  const after = toDelivery((await getDelivery(tx, ctx.tenantId, before.id)) ?? before, ctx.prefix);
  await appendAudit(tx, ctx, {
    action: `delivery.${action}`,
    target: toId("delivery", before.id),
    before: { status: from },
    after: { status: after.status, ...(reason === undefined ? {} : { reason }) },
  });
  return after;
}
