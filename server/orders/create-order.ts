import type { NewOrder } from "#contracts/orders.ts";
import { insertOrder, type OrderRow } from "#db/queries/orders.ts";
import { currencyOf, exactAmount } from "../check-money.ts";
import type { Ctx } from "../context.ts";
import { storeEvents } from "../events/store-events.ts";
import { orderEventData } from "./to-order.ts";

/** Stores an order and its `OrderCreated`. `totalSpelling` is the JSON text of `Total`, since reading it could round it. */
export async function createOrder(ctx: Ctx, input: NewOrder, totalSpelling: string): Promise<OrderRow> {
  const currency = currencyOf(input.Currency, "#/Currency");
  const total = exactAmount(totalSpelling, currency, "#/Total");
  return ctx.transaction(async (tx) => {
    const order = await insertOrder(tx, ctx.tenantId, {
      customerId: input.CustomerId,
      total,
      currency: input.Currency,
      shippingAddress: input.shipping_address ?? null,
      createdAt: ctx.now(),
    });
    await storeEvents(tx, ctx, ctx.tenantId, [{ type: "OrderCreated", data: orderEventData(order) }]);
    return order;
  });
}
