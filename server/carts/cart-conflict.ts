import { toId } from "#contracts/ids.ts";
import type { CartRow } from "#db/queries/carts.ts";
import type { Ctx } from "../context.ts";
import { cartLinks } from "../domain/carts.ts";
import { AppError } from "../errors.ts";

/** 409: the state of the cart does not allow what was asked for. It tells of the state and of what is possible in it. */
export function cartConflict(cart: CartRow, ctx: Ctx, detail: string): AppError {
  const { status, items } = cart;
  const links = cartLinks({ cartId: toId("cart", cart.id), status, items }, ctx.prefix);
  return new AppError("state-conflict", detail, { members: { state: status, links } });
}
