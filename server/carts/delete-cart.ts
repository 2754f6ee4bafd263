import { deleteCart as deleteCartRow, findCart } from "#db/queries/carts.ts";
import { conditionalChange } from "../conditional-change.ts";
import type { Ctx } from "../context.ts";
import { emitEvents } from "../events/emit-events.ts";
import type { SeenCart } from "./change-cart.ts";
import { toCart } from "./to-cart.ts";

/** Makes a tombstone of a cart, with its `CartDeleted`. Of several calls at once one deletes, and the others are content. */
export async function deleteCart(ctx: Ctx, { cart, expectedVersions }: SeenCart): Promise<void> {
  const { tenantId } = ctx;
  const reread = (tx: Parameters<typeof findCart>[0]) => findCart(tx, tenantId, cart.id);
  await conditionalChange(ctx, cart, {
    expectedVersions,
    reread,
    async attempt(tx, { id, version }) {
      const deleted = await deleteCartRow(tx, tenantId, { id, version, at: ctx.now() });
      if (!deleted) return (await reread(tx)) ? undefined : cart;
      await emitEvents(tx, ctx, tenantId, [{ type: "CartDeleted", data: JSON.stringify(toCart(deleted)) }]);
      return deleted;
    },
  });
}
