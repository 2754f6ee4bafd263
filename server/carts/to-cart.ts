import type { Cart, CartItem } from "#contracts/carts.ts";
import { toId } from "#contracts/ids.ts";
import type { CartRow } from "#db/queries/carts.ts";
import type { CartLine } from "../domain/carts.ts";
import { exactNumber } from "../domain/exact-number.ts";

/** A cart as answers show it, and as its events carry it. */
export function toCart(row: CartRow): Cart {
  return {
    cartId: toId("cart", row.id),
    owner: row.owner,
    status: row.status,
    currency: row.currency,
    items: row.items.map(toCartItem),
    metadata: row.metadata,
    version: exactNumber(row.version),
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  };
}

/** One item as answers show it. */
export function toCartItem({ sku, quantity, unit_price, name }: CartLine): CartItem {
  return { sku, quantity, unit_price: exactNumber(unit_price), ...(name === undefined ? {} : { name }) };
}
