import { uuidv7 } from "uuidv7";
import type { NewCart } from "#contracts/carts.ts";
import { type CartRow, insertCart } from "#db/queries/carts.ts";
import { currencyOf, exactAmount } from "../check-money.ts";
import type { Ctx } from "../context.ts";
import { emitEvents } from "../events/emit-events.ts";
import { toCart } from "./to-cart.ts";

/** Stores a cart and its `CartCreated`. `prices` is the JSON text of each `unit_price`, since reading it could round it. */
export async function createCart(ctx: Ctx, input: NewCart, prices: readonly string[]): Promise<CartRow> {
  const currency = currencyOf(input.currency, "#/currency");
  const items = input.items.map(({ name, ...item }, index) => ({
    ...item,
    unit_price: exactAmount(prices[index] ?? "", currency, `#/items/${index}/unit_price`),
    ...(name === undefined ? {} : { name }),
  }));
  const { owner, metadata } = input;
  const content = { owner, status: "open", currency: currency.code, items, metadata } as const;
  return ctx.transaction(async (tx) => {
    const cart = await insertCart(tx, ctx.tenantId, { id: uuidv7(), content, createdAt: ctx.now() });
    const data = JSON.stringify(toCart(cart));
    await emitEvents(tx, ctx, ctx.tenantId, [{ type: "CartCreated", data }]);
    return cart;
  });
}
