import { uuidv7 } from "uuidv7";
import type { Delivery } from "#contracts/deliveries.ts";
import { toId } from "#contracts/ids.ts";
import type { Tx } from "#db/client.ts";
import { type DeliveryRow, getDelivery, isEndpointOpen } from "#db/queries/deliveries.ts";
import { getEvents } from "#db/queries/events.ts";
import { reopenDeliveries } from "#db/queries/replay-selection.ts";
import { appendAudit } from "../audit/append-audit.ts";
import type { Ctx } from "../context.ts";
import { REPLAYABLE } from "../domain/deliveries.ts";
import { enqueueDeliveries } from "../queue/boss.ts";
import { QUEUES } from "../queue/queues.ts";
import { deliveryConflict } from "./delivery-conflict.ts";
import { toDelivery } from "./to-delivery.ts";

/**
 * Sends a settled delivery again: the same delivery id, the next attempt number, a fresh retry schedule.
 * Throws `state-conflict` while it is pending or in flight, when its endpoint takes none, or when its event has no data any
 * more.
 */
export function replayDelivery(ctx: Ctx, before: DeliveryRow): Promise<Delivery> {
  const { tenantId, boss } = ctx;
  const { id } = before;
  return ctx.transaction(async (tx) => {
    const conflict = (detail: string) => deliveryConflict(tx, ctx, before, () => detail);
    if (!(await isEndpointOpen(tx, tenantId, before.endpointId)))
      throw await conflict("The endpoint is disabled or deleted, so nothing can be sent to it.");
    const jobId = uuidv7();
    const from = { tenantId, statuses: REPLAYABLE, trigger: "replay" };
    if (!(await reopenDeliveries(tx, from, [{ id, jobId }])).has(id)) {
      const gone = await whyNothingToSend(tx, ctx, before);
      if (gone) throw await deliveryConflict(tx, ctx, before, () => gone, "replay");
      throw await conflict("The delivery is still under way; it can be replayed once it has ended.");
    }

    await enqueueDeliveries(boss, tx, QUEUES.deliverReplay.name, [
      { id: jobId, tenantId, deliveryIds: [id], isAsked: true },
    ]);
    await appendAudit(tx, ctx, {
      action: "delivery.replay",
      target: toId("delivery", id),
      before: { status: before.status },
    });
    tx.afterCommit(ctx.wakeWorkers);
    const after = await getDelivery(tx, tenantId, id);
    return toDelivery(after ?? before, ctx.prefix);
  });
}

/** Why there is nothing to be sent for a delivery; `undefined` when there is. */
async function whyNothingToSend(
  tx: Tx,
  { tenantId }: Ctx,
  { eventId }: DeliveryRow,
): Promise<string | undefined> {
  const [event] = await getEvents(tx, tenantId, [eventId]);
  if (!event) return "The event has passed its retention, so there is nothing to send.";
  return event.expungedAt ? "The data of the event was expunged, so there is nothing to send." : undefined;
}
