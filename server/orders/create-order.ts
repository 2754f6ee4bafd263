import type { NewOrder } from "#contracts/orders.ts";
import { insertOrder, type OrderRow } from "#db/queries/orders.ts";
import { currencyOf, exactAmount } from "../check-money.ts";
import type { Ctx } from "../context.ts";
import { emitEvents } from "../events/emit-events.ts";
import { keptAddress } from "./kept-address.ts";
import { orderEventData } from "./to-order.ts";

/** Stores an order and its `OrderCreated`. `spelled` is the JSON text of members, since reading them could round. */
export async function createOrder(
  ctx: Ctx,
  input: NewOrder,
  spelled: { total: string; shippingAddress: string | undefined },
): Promise<OrderRow> {
  const currency = currencyOf(input.Currency, "#/Currency");
  const total = exactAmount(spelled.total, currency, "#/Total");
  const shippingAddress = keptAddress(spelled.shippingAddress);
  return ctx.transaction(async (tx) => {
    const order = await insertOrder(tx, ctx.tenantId, {
      customerId: input.CustomerId,
      total,
      currency: input.Currency,
      shippingAddress,
      createdAt: ctx.now(),
    });
    await emitEvents(tx, ctx, ctx.tenantId, [{ type: "OrderCreated", data: orderEventData(order) }]);
    return order;
  });
}
