import { isDeepStrictEqual } from "node:util";
import type { CartPatch } from "#contracts/carts.ts";
import { Metadata } from "#contracts/metadata.ts";
import type { CartContent, CartRow } from "#db/queries/carts.ts";
import { currencyOf } from "../check-money.ts";
import type { Ctx } from "../context.ts";
import { canPatch } from "../domain/carts.ts";
import { mergePatch } from "../domain/merge-patch.ts";
import { validationError } from "../errors.ts";
import { cartConflict } from "./cart-conflict.ts";
import { changeCart, type SeenCart } from "./change-cart.ts";

/** Merges a patch into a cart, with its `CartUpdated` (RFC 7396); nothing happens when it changes nothing. */
export function patchCart(ctx: Ctx, seen: SeenCart, patch: CartPatch): Promise<CartRow> {
  return changeCart(ctx, seen, (current) => {
    const { owner, currency, items, metadata, status } = current;
    const content: CartContent = {
      owner: patch.owner ?? owner,
      currency: patchedCurrency(current, patch),
      items,
      metadata: patchedMetadata(metadata, patch),
      status: patch.status ?? status,
    };
    if (content.status !== status && !canPatch(status, content.status))
      throw cartConflict(current, ctx, `A cart that is ${status} cannot become ${content.status}.`);
    const before: CartContent = { owner, currency, items, metadata, status };
    return isDeepStrictEqual(content, before) ? undefined : { event: "CartUpdated", content };
  });
}

/** Prices are amounts in the currency of the cart, so it can be another only while there is none. */
function patchedCurrency({ currency, items }: CartRow, patch: CartPatch): string {
  const pointer = "#/currency";
  if (patch.currency === undefined || patch.currency === currency) return currency;
  if (items.length > 0)
    throw validationError([{ detail: "can be changed only while the cart is empty", pointer }]);
  return currencyOf(patch.currency, pointer).code;
}

function patchedMetadata(metadata: Metadata, patch: CartPatch): Metadata {
  if (patch.metadata === undefined) return metadata;
  const merged = Metadata.safeParse(mergePatch(metadata, patch.metadata) ?? {});
  if (merged.success) return merged.data;
  throw validationError(
    merged.error.issues.map(({ message }) => ({ detail: message, pointer: "#/metadata" })),
  );
}
