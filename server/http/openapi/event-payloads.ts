import * as z from "zod";
import { Cart } from "#contracts/carts.ts";
import { BUILT_IN_TYPES, Event } from "#contracts/events.ts";
import { Cancellation, Order, Payment, Shipment } from "#contracts/orders.ts";

const order = Order.omit({ links: true });
const status = (reached: Order["status"]) => ({ status: z.literal(reached) });
// Not the schemas of the requests: what is delivered may gain members. What the call did not give is not there.
const payment = z.object(Payment.shape).meta({ example: Payment.meta()?.example }).optional();
const shipment = z.object(Shipment.shape).meta({ example: Shipment.meta()?.example }).optional();
const { reason } = Cancellation.shape;
const cart = (reached: Cart["status"]) => Cart.extend({ status: z.literal(reached) });
const anything = z.record(z.string(), z.unknown()).meta({ example: {} });

/** When each built-in event comes, and what its `data` is. */
const PAYLOADS: Record<(typeof BUILT_IN_TYPES)[number], { summary: string; data: z.ZodType }> = {
  CartCreated: { summary: "A cart was created", data: cart("open") },
  CartUpdated: { summary: "A cart was changed", data: Cart },
  CartItemUpdated: { summary: "An item was put into a cart or changed", data: cart("open") },
  CartItemRemoved: { summary: "An item was taken out of a cart", data: cart("open") },
  CartDeleted: { summary: "A cart was deleted", data: Cart },
  CartCheckedOut: { summary: "An order was made from a cart", data: cart("checked_out") },
  OrderCreated: { summary: "An order was created", data: order.extend(status("awaiting-payment")) },
  OrderUpdated: { summary: "The shipping address of an order was changed", data: order },
  PaymentCaptured: {
    summary: "The payment of an order was recorded",
    data: order.extend({ ...status("paid"), payment }),
  },
  OrderShipped: { summary: "An order was shipped", data: order.extend({ ...status("shipped"), shipment }) },
  OrderCancelled: {
    summary: "An order was cancelled",
    data: order.extend({ ...status("cancelled"), reason }),
  },
  Ping: { summary: "A test, sent on request", data: anything },
};

/** One kind of event as it is delivered. */
export interface EventPayload {
  name: string;
  summary: string;
  schema: z.ZodType;
}

/** Every built-in event, and last the shape that all of them have, those that clients publish included. */
export const eventPayloads: readonly EventPayload[] = [
  ...BUILT_IN_TYPES.map((name) => {
    const { summary, data } = PAYLOADS[name];
    const schema = Event.extend({ type: z.literal(name), data }).meta({ id: `${name}Event` });
    return { name, summary, schema };
  }),
  { name: "AnyEvent", summary: "Any event, of your own types too", schema: Event },
];
