import {
  checkOutCart,
  createCart,
  deleteCart,
  deleteCartItem,
  getCart,
  listCarts,
  patchCart,
  putCartItem,
} from "#contracts/carts.ts";
import { fromId, toId } from "#contracts/ids.ts";
import { type CartRow, findCart, wasCartDeleted } from "#db/queries/carts.ts";
import { putItem, removeItem } from "#server/carts/change-items.ts";
import { checkOutCart as makeOrder } from "#server/carts/check-out-cart.ts";
import { createCart as storeCart } from "#server/carts/create-cart.ts";
import { deleteCart as makeTombstone } from "#server/carts/delete-cart.ts";
import { listCarts as readCarts } from "#server/carts/list-carts.ts";
import { patchCart as applyPatch } from "#server/carts/patch-cart.ts";
import { toCart, toCartItem } from "#server/carts/to-cart.ts";
import type { Ctx } from "#server/context.ts";
import { tombstonesSince } from "#server/domain/carts.ts";
import { validationError } from "#server/errors.ts";
import { toOrder } from "#server/orders/to-order.ts";
import type { JsonSource } from "../json/json-source.ts";
import { listRoute } from "../list-route.ts";
import { route } from "../route.ts";

const find = async (ctx: Ctx, params: { cartId: string }) => {
  const id = fromId("cart", params.cartId);
  return id === undefined ? undefined : findCart(ctx.db, ctx.tenantId, id);
};

/** The cart, or what is left of one: a tombstone has no version that a precondition could fail on. */
const findOrTombstone = async (
  ctx: Ctx,
  params: { cartId: string },
): Promise<{ cart?: CartRow } | undefined> => {
  const cart = await find(ctx, params);
  if (cart) return { ...cart, cart };
  const id = fromId("cart", params.cartId);
  const since = tombstonesSince(ctx.now());
  return id !== undefined && (await wasCartDeleted(ctx.db, ctx.tenantId, { id, since })) ? {} : undefined;
};

const versioned = (cart: CartRow) => ({ body: toCart(cart), version: cart.version });

/** The JSON text of each item's price, in their order. */
const pricesIn = (source: JsonSource) =>
  source.items("items", "unit_price").map(({ member }) => member ?? "");

export const cartRoutes = [
  route(createCart, {
    async handle(ctx, { body, source }) {
      const cart = await storeCart(ctx, body, pricesIn(source));
      return { ...versioned(cart), location: `/carts/${toId("cart", cart.id)}` };
    },
  }),
  route(getCart, { find, handle: async (_ctx, { found }) => versioned(found) }),
  route(patchCart, {
    find,
    handle: async (ctx, { found: cart, expectedVersions, body }) =>
      versioned(await applyPatch(ctx, { cart, expectedVersions }, body)),
  }),
  route(deleteCart, {
    find: findOrTombstone,
    async handle(ctx, { found: { cart }, expectedVersions }) {
      if (cart) await makeTombstone(ctx, { cart, expectedVersions });
      return {};
    },
  }),
  route(putCartItem, {
    find,
    async handle(ctx, { found: cart, expectedVersions, params: { sku }, body, source }) {
      if (body.sku !== undefined && body.sku !== sku)
        throw validationError([{ detail: "must be that of the path", pointer: "#/sku" }]);
      const price = source.member("unit_price") ?? "";
      const line = await putItem(ctx, { cart, expectedVersions }, { ...body, sku }, price);
      return { body: toCartItem(line) };
    },
  }),
  route(deleteCartItem, {
    find,
    async handle(ctx, { found: cart, expectedVersions, params: { sku } }) {
      await removeItem(ctx, { cart, expectedVersions }, sku);
      return {};
    },
  }),
  route(checkOutCart, {
    find,
    async handle(ctx, { found: cart, expectedVersions, body, source }) {
      const address = source.member("shipping_address");
      const order = await makeOrder(ctx, { cart, expectedVersions }, body, address);
      return { body: toOrder(order, ctx.prefix), version: order.version, location: `/orders/${order.id}` };
    },
  }),
  listRoute(listCarts, {
    read: (conn, ctx, { filters }, page) => readCarts(conn, ctx.tenantId, filters, page),
    position: (cart: CartRow) => [cart.createdPosition, cart.id],
    show: toCart,
  }),
];
