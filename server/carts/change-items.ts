import { type CartItem, MAX_CART_ITEMS } from "#contracts/carts.ts";
import type { CartRow } from "#db/queries/carts.ts";
import { currencyOf, exactAmount } from "../check-money.ts";
import type { Ctx } from "../context.ts";
import { type CartLine, putLine, removeLine, takesItems } from "../domain/carts.ts";
import { validationError } from "../errors.ts";
import { cartConflict } from "./cart-conflict.ts";
import { changeCart, type SeenCart } from "./change-cart.ts";

/**
 * Puts an item into an open cart, in the place of the one of its sku, with its `CartItemUpdated`; nothing happens when it
 * is there already. `price` is the JSON text of `unit_price`, since reading it could round it. Gives what is stored.
 */
export async function putItem(
  ctx: Ctx,
  seen: SeenCart,
  item: Omit<CartItem, "unit_price">,
  price: string,
): Promise<CartLine> {
  const lineFor = (cart: CartRow) => toLine(item, price, cart.currency);
  const changed = await changeCart(ctx, seen, (current) => {
    const items = putLine(current.items, lineFor(current));
    if (items.length > MAX_CART_ITEMS)
      throw validationError([{ detail: `A cart holds at most ${MAX_CART_ITEMS} items.`, pointer: "#" }]);
    requireOpen(current, ctx);
    return items === current.items ? undefined : { event: "CartItemUpdated", content: { items } };
  });
  return lineFor(changed);
}

/** Takes an item out of an open cart, with its `CartItemRemoved`; nothing happens when there is none of that sku. */
export async function removeItem(ctx: Ctx, seen: SeenCart, sku: string): Promise<void> {
  await changeCart(ctx, seen, (current) => {
    requireOpen(current, ctx);
    const items = removeLine(current.items, sku);
    return items === current.items ? undefined : { event: "CartItemRemoved", content: { items } };
  });
}

/** A line of a cart of that currency; 422 when its price has more decimals than the currency. */
function toLine(
  { sku, quantity, name }: Omit<CartItem, "unit_price">,
  price: string,
  code: string,
): CartLine {
  const unit_price = exactAmount(price, currencyOf(code, "#"), "#/unit_price");
  return { sku, quantity, unit_price, ...(name === undefined ? {} : { name }) };
}

function requireOpen(cart: CartRow, ctx: Ctx): void {
  if (!takesItems(cart))
    throw cartConflict(cart, ctx, `The items of a cart that is ${cart.status} cannot be changed.`);
}
