import type { Payment } from "#contracts/orders.ts";
import { findOrder, moveOrder, type OrderRow } from "#db/queries/orders.ts";
import { checkVersion } from "../check-version.ts";
import type { Ctx } from "../context.ts";
import { afterAction, orderLinks } from "../domain/orders.ts";
import { AppError, notFound } from "../errors.ts";
import { storeEvents } from "../events/store-events.ts";
import { orderEventData } from "./to-order.ts";

/**
 * Records the payment of an order that awaits it, with its `PaymentCaptured`. Of several at once one succeeds: the
 * update is conditional on the version, and who comes too late decides again on what the order has become.
 */
export async function payOrder(
  ctx: Ctx,
  order: OrderRow,
  payment: Payment,
  expectedVersions: readonly string[] | null,
): Promise<OrderRow> {
  return ctx.transaction(async (tx) => {
    for (let current: OrderRow | undefined = order; current; ) {
      checkVersion(expectedVersions, current.version);
      const to = afterAction(current.status, "pay");
      if (!to) throw conflict(current, ctx.prefix);
      const move = { id: current.id, version: current.version, to, at: ctx.now() };
      const paid = await moveOrder(tx, ctx.tenantId, move);
      if (paid) {
        const data = orderEventData(paid, { payment });
        await storeEvents(tx, ctx, ctx.tenantId, [{ type: "PaymentCaptured", data }]);
        return paid;
      }
      current = await findOrder(tx, ctx.tenantId, current.id);
    }
    throw notFound();
  });
}

function conflict(order: OrderRow, prefix: string): AppError {
  return new AppError("state-conflict", `An order that is ${order.status} cannot be paid.`, {
    members: { state: order.status, links: orderLinks(order, prefix) },
  });
}
