import { findOrder, type OrderRow, updateOrder } from "#db/queries/orders.ts";
import { conditionalChange } from "../conditional-change.ts";
import type { Ctx } from "../context.ts";
import { afterAction, isRepeat, ORDER_MACHINE, type OrderAction, orderLinks } from "../domain/orders.ts";
import { AppError } from "../errors.ts";
import { emitEvents } from "../events/emit-events.ts";
import { orderEventData } from "./to-order.ts";

export interface OrderChange {
  action: OrderAction;
  expectedVersions: readonly string[] | null;
  /** Replaces the shipping address; absent, it stays. */
  shippingAddress?: OrderRow["shippingAddress"];
  /** What the call gave that only its event tells of, such as `payment`. */
  given?: Readonly<Record<string, unknown>>;
}

/**
 * Does one action of the order machine, with its one event. A repeat of what has been done gives the order as it is and
 * emits nothing; what the state does not allow is `state-conflict`.
 */
export function changeOrder(ctx: Ctx, order: OrderRow, change: OrderChange): Promise<OrderRow> {
  const { action, expectedVersions, shippingAddress, given } = change;
  return conditionalChange(ctx, order, {
    expectedVersions,
    reread: (tx) => findOrder(tx, ctx.tenantId, order.id),
    async attempt(tx, current) {
      if (isRepeat(current.status, action)) return current;
      const status = afterAction(current.status, action);
      if (!status) throw conflict(current, action, ctx.prefix);
      const { id, version } = current;
      const update = { id, version, status, shippingAddress, at: ctx.now() };
      const changed = await updateOrder(tx, ctx.tenantId, update);
      if (!changed) return undefined;
      const data = orderEventData(changed, given);
      await emitEvents(tx, ctx, ctx.tenantId, [{ type: ORDER_MACHINE[action].event, data }]);
      return changed;
    },
  });
}

function conflict(order: OrderRow, action: OrderAction, prefix: string): AppError {
  const detail = `An order that is ${order.status} cannot be ${ORDER_MACHINE[action].participle}.`;
  const members = { state: order.status, links: orderLinks(order, prefix) };
  return new AppError("state-conflict", detail, { members });
}
