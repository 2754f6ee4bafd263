import { createOrder, getOrder, listOrders, payOrder } from "#contracts/orders.ts";
import { findOrder, type OrderRow } from "#db/queries/orders.ts";
import type { Ctx } from "#server/context.ts";
import { parseOrderId } from "#server/domain/orders.ts";
import { createOrder as storeOrder } from "#server/orders/create-order.ts";
import { listOrders as readOrders } from "#server/orders/list-orders.ts";
import { payOrder as recordPayment } from "#server/orders/pay-order.ts";
import { toOrder } from "#server/orders/to-order.ts";
import { rawMember } from "../json/spans.ts";
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

export const orderRoutes = [
  route(createOrder, {
    async handle(ctx, { body, text }) {
      const order = await storeOrder(ctx, body, rawMember(text, "Total") ?? "");
      return { ...versioned(order, ctx), location: `/orders/${order.id}` };
    },
  }),
  route(getOrder, { find, handle: async (ctx, { found }) => versioned(found, ctx) }),
  route(payOrder, {
    find,
    handle: async (ctx, { found, body, expectedVersions }) =>
      versioned(await recordPayment(ctx, found, body, expectedVersions), ctx),
  }),
  listRoute(listOrders, {
    read: (conn, ctx, { filters }, page) => readOrders(conn, ctx.tenantId, filters, page),
    position: (order: OrderRow) => [order.createdPosition, order.id],
    show: (order, ctx) => toOrder(order, ctx.prefix),
  }),
];
