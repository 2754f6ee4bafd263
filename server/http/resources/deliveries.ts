import {
  cancelDelivery,
  dismissDelivery,
  getDelivery,
  listAttempts,
  listDeliveries,
  replayDelivery,
} from "#contracts/deliveries.ts";
import { fromId } from "#contracts/ids.ts";
import { type AttemptRow, listAttempts as listAttemptRows } from "#db/queries/attempts.ts";
import { type DeliveryRow, getDelivery as getDeliveryRow } from "#db/queries/deliveries.ts";
import { getEvents } from "#db/queries/events.ts";
import type { Ctx } from "#server/context.ts";
import { cancelDelivery as cancel, dismissDelivery as dismiss } from "#server/deliveries/close-delivery.ts";
import { listDeliveries as readDeliveries } from "#server/deliveries/list-deliveries.ts";
import { replayDelivery as sendAgain } from "#server/deliveries/replay-delivery.ts";
import { toAttempt, toDelivery } from "#server/deliveries/to-delivery.ts";
import { cutPage } from "#server/domain/page.ts";
import { listRoute } from "../list-route.ts";
import { route } from "../route.ts";

const find = async (ctx: Ctx, params: { id: string }) => {
  const id = fromId("delivery", params.id);
  return id === undefined ? undefined : getDeliveryRow(ctx.db, ctx.tenantId, id);
};

/** The delivery with the text that each of its attempts has sent. */
const findWithBody = async (ctx: Ctx, params: { id: string }) => {
  const delivery = await find(ctx, params);
  if (!delivery) return undefined;
  const [event] = await getEvents(ctx.db, ctx.tenantId, [delivery.eventId]);
  return { delivery, body: event?.body ?? "" };
};

export const deliveryRoutes = [
  listRoute(listDeliveries, {
    read: (conn, ctx, { filters }, page) => readDeliveries(conn, ctx.tenantId, filters, page),
    position: (delivery: DeliveryRow) => [delivery.id],
    show: (delivery, ctx) => toDelivery(delivery, ctx.prefix),
  }),
  route(getDelivery, { find, handle: async (ctx, { found }) => ({ body: toDelivery(found, ctx.prefix) }) }),
  listRoute(listAttempts, {
    find: findWithBody,
    read: async (conn, ctx, { found }, page) => {
      const of = { tenantId: ctx.tenantId, deliveryId: found.delivery.id };
      const slice = cutPage(await listAttemptRows(conn, of, page), page);
      const withFound = (attempt: AttemptRow) => ({ attempt, ...found });
      return {
        ...slice,
        items: slice.items.map(withFound),
        next: slice.next && withFound(slice.next),
        prev: slice.prev && withFound(slice.prev),
      };
    },
    position: ({ attempt }) => [String(attempt.number)],
    show: ({ attempt, delivery, body }) =>
      toAttempt(attempt, { deliveryId: delivery.id, eventType: delivery.eventType, body }),
  }),
  route(replayDelivery, { find, handle: async (ctx, { found }) => ({ body: await sendAgain(ctx, found) }) }),
  route(dismissDelivery, {
    find,
    handle: async (ctx, { found, body }) => ({ body: await dismiss(ctx, found, body) }),
  }),
  route(cancelDelivery, {
    find,
    handle: async (ctx, { found, body }) => ({ body: await cancel(ctx, found, body) }),
  }),
];
