import { type CartContent, type CartRow, findCart, updateCart } from "#db/queries/carts.ts";
import { conditionalChange } from "../conditional-change.ts";
import type { Ctx } from "../context.ts";
import { emitEvents } from "../events/emit-events.ts";
import { toCart } from "./to-cart.ts";

/** A cart as it was read, and what If-Match expects of its version; `null` expects nothing. */
export interface SeenCart {
  cart: CartRow;
  expectedVersions: readonly string[] | null;
}

/** What becomes of a part of a cart's content, and the event that tells of it. */
export interface CartChange {
  event: "CartUpdated" | "CartItemUpdated" | "CartItemRemoved";
  content: Partial<CartContent>;
}

/**
 * Changes a cart, with its one event; leaves it as it is where `decide` gives nothing. `decide` sees the cart as it is
 * now and may throw.
 */
export function changeCart(
  ctx: Ctx,
  { cart, expectedVersions }: SeenCart,
  decide: (current: CartRow) => CartChange | undefined,
): Promise<CartRow> {
  const { tenantId } = ctx;
  return conditionalChange(ctx, cart, {
    expectedVersions,
    reread: (tx) => findCart(tx, tenantId, cart.id),
    async attempt(tx, current) {
      const change = decide(current);
      if (!change) return current;
      const content = { ...current, ...change.content };
      const changed = await updateCart(tx, tenantId, { ...current, content, at: ctx.now() });
      if (!changed) return undefined;
      await emitEvents(tx, ctx, tenantId, [{ type: change.event, data: JSON.stringify(toCart(changed)) }]);
      return changed;
    },
  });
}
