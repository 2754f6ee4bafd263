import {
  cancelOrder,
  createOrder,
  getOrder,
  listOrders,
  payOrder,
  shipOrder,
  updateOrder,
} from "#contracts/orders.ts";
import { findOrder, type OrderRow } from "#db/queries/orders.ts";
import type { Ctx } from "#server/context.ts";
import { parseOrderId } from "#server/domain/orders.ts";
import { changeOrder } from "#server/orders/change-order.ts";
import { createOrder as storeOrder } from "#server/orders/create-order.ts";
import { keptAddress } from "#server/orders/kept-address.ts";
import { listOrders as readOrders } from "#server/orders/list-orders.ts";
import { toOrder } from "#server/orders/to-order.ts";
import { listRoute } from "../list-route.ts";
import { route } from "../route.ts";

const find = async (ctx: Ctx, params: { id: string }) => {
  const id = parseOrderId(params.id);
  return id === undefined ? undefined : findOrder(ctx.db, ctx.tenantId, id);
};

const versioned = (order: OrderRow, ctx: Ctx) => ({
  body: toOrder(order, ctx.prefix),
  version: order.version,
});

const isEmpty = (body: object) => Object.keys(body).length === 0;

export const orderRoutes = [
  route(createOrder, {
    async handle(ctx, { body, source }) {
      const order = await storeOrder(ctx, body, {
        total: source.member("Total") ?? "",
        shippingAddress: source.member("shipping_address"),
      });
      return { ...versioned(order, ctx), location: `/orders/${order.id}` };
    },
  }),
  route(getOrder, { find, handle: async (ctx, { found }) => versioned(found, ctx) }),
  route(updateOrder, {
    find,
    async handle(ctx, { found, source, expectedVersions }) {
      const shippingAddress = keptAddress(source.member("shipping_address"));
      const change = { action: "update", expectedVersions, shippingAddress } as const;
      return versioned(await changeOrder(ctx, found, change), ctx);
    },
  }),
  route(payOrder, {
    find,
    async handle(ctx, { found, body, expectedVersions }) {
      const given = isEmpty(body) ? {} : { payment: body };
      return versioned(await changeOrder(ctx, found, { action: "pay", expectedVersions, given }), ctx);
    },
  }),
  route(cancelOrder, {
    find,
    handle: async (ctx, { found, body, expectedVersions }) =>
      versioned(await changeOrder(ctx, found, { action: "cancel", expectedVersions, given: body }), ctx),
  }),
  route(shipOrder, {
    find,
    async handle(ctx, { found, body, expectedVersions }) {
      const given = isEmpty(body) ? {} : { shipment: body };
      return versioned(await changeOrder(ctx, found, { action: "ship", expectedVersions, given }), ctx);
    },
  }),
  listRoute(listOrders, {
    read: (conn, ctx, { filters }, page) => readOrders(conn, ctx.tenantId, filters, page),
    position: (order: OrderRow) => [order.createdPosition, order.id],
    show: (order, ctx) => toOrder(order, ctx.prefix),
  }),
];
