import type { NewOrder } from "#contracts/orders.ts";
import { insertOrder, type OrderRow } from "#db/queries/orders.ts";
import type { Ctx } from "../context.ts";
import { minorDigits } from "../domain/currency.ts";
import { parseDecimal } from "../domain/exact-number.ts";
import { validationError } from "../errors.ts";
import { storeEvents } from "../events/store-events.ts";
import { orderEventData } from "./to-order.ts";

/** Stores an order and its `OrderCreated`. `totalSpelling` is the JSON text of `Total`, since reading it could round it. */
export async function createOrder(ctx: Ctx, input: NewOrder, totalSpelling: string): Promise<OrderRow> {
  const total = exactTotal(totalSpelling, input.Currency);
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

function exactTotal(spelling: string, currency: string): string {
  const digits = minorDigits(currency);
  if (digits === undefined) throw invalid("#/Currency", "must be an ISO 4217 currency");
  const total = parseDecimal(spelling);
  if (!total || total.decimals > digits)
    throw invalid("#/Total", `must have at most ${digits} decimals, as ${currency} has`);
  return total.text;
}

const invalid = (pointer: string, detail: string) => validationError([{ detail, pointer }]);
