import type { Checkout } from "#contracts/carts.ts";
import { MAX_AMOUNT } from "#contracts/money.ts";
import { NewOrder } from "#contracts/orders.ts";
import { type CartRow, findCart, updateCart } from "#db/queries/carts.ts";
import { insertOrder, type OrderRow } from "#db/queries/orders.ts";
import { conditionalChange } from "../conditional-change.ts";
import type { Ctx } from "../context.ts";
import { canCheckOut, cartTotal } from "../domain/carts.ts";
import { validationError } from "../errors.ts";
import { emitEvents } from "../events/emit-events.ts";
import { keptAddress } from "../orders/kept-address.ts";
import { orderEventData } from "../orders/to-order.ts";
import { cartConflict } from "./cart-conflict.ts";
import type { SeenCart } from "./change-cart.ts";
import { toCart } from "./to-cart.ts";

/**
 * Makes an order of an open cart that is not empty, which is checked out by that, with `OrderCreated` and
 * `CartCheckedOut`. Of several calls at once one makes the order. `addressSpelling` is the JSON text of the address.
 */
export function checkOutCart(
  ctx: Ctx,
  { cart, expectedVersions }: SeenCart,
  input: Checkout,
  addressSpelling: string | undefined,
): Promise<OrderRow> {
  const { tenantId } = ctx;
  const shippingAddress = keptAddress(addressSpelling);
  return conditionalChange(ctx, cart, {
    expectedVersions,
    reread: (tx) => findCart(tx, tenantId, cart.id),
    async attempt(tx, current) {
      const content = { customerId: customerOf(current, input), total: totalOf(current) };
      if (!canCheckOut(current)) throw conflict(current, ctx);
      const at = ctx.now();
      const { id, version } = current;
      const done = { id, version, at, content: { ...current, status: "checked_out" as const } };
      const checkedOut = await updateCart(tx, tenantId, done);
      if (!checkedOut) return undefined;
      const order = await insertOrder(tx, tenantId, {
        ...content,
        currency: current.currency,
        shippingAddress,
        createdAt: at,
      });
      await emitEvents(tx, ctx, tenantId, [
        { type: "OrderCreated", data: orderEventData(order) },
        { type: "CartCheckedOut", data: JSON.stringify(toCart(checkedOut)) },
      ]);
      return order;
    },
  });
}

/** Whose order it is; the owner of a cart may have a longer name than a customer. */
function customerOf({ owner }: CartRow, { CustomerId }: Checkout): string {
  const customer = NewOrder.shape.CustomerId.safeParse(CustomerId ?? owner);
  if (customer.success) return customer.data;
  const detail = "must be given: the owner of the cart is too long a text to be a customer";
  throw validationError([{ detail, pointer: "#/CustomerId" }]);
}

function totalOf({ items }: CartRow): string {
  const total = cartTotal(items);
  if (total !== undefined) return total;
  throw validationError([{ detail: `The Total of the order would be above ${MAX_AMOUNT}.`, pointer: "#" }]);
}

function conflict(cart: CartRow, ctx: Ctx) {
  const why = cart.status === "open" ? "is empty" : `is ${cart.status}`;
  return cartConflict(cart, ctx, `A cart that ${why} cannot be checked out.`);
}
