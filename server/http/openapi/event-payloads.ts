import * as z from "zod";
import { Cart } from "#contracts/carts.ts";
import { BUILT_IN_DESCRIPTIONS, BUILT_IN_TYPES, Event } from "#contracts/events.ts";
import { OPERATIONAL_DATA } from "#contracts/operational-events.ts";
import { Cancellation, Order, Payment, Shipment } from "#contracts/orders.ts";

const order = Order.omit({ links: true });
const status = (reached: Order["status"]) => ({ status: z.literal(reached) });
// Not the schemas of the requests: what is delivered may gain members. What the call did not give is not there.
const payment = z.object(Payment.shape).meta({ example: Payment.meta()?.example }).optional();
const shipment = z.object(Shipment.shape).meta({ example: Shipment.meta()?.example }).optional();
const { reason } = Cancellation.shape;
const cart = (reached: Cart["status"]) => Cart.extend({ status: z.literal(reached) });
const anything = z.record(z.string(), z.unknown()).meta({ example: {} });

/** What the `data` of each built-in event is. */
const DATA: Record<(typeof BUILT_IN_TYPES)[number], z.ZodType> = {
  CartCreated: cart("open"),
  CartUpdated: Cart,
  CartItemUpdated: cart("open"),
  CartItemRemoved: cart("open"),
  CartDeleted: Cart,
  CartCheckedOut: cart("checked_out"),
  OrderCreated: order.extend(status("awaiting-payment")),
  OrderUpdated: order,
  PaymentCaptured: order.extend({ ...status("paid"), payment }),
  OrderShipped: order.extend({ ...status("shipped"), shipment }),
  OrderCancelled: order.extend({ ...status("cancelled"), reason }),
  Ping: anything,
  ...OPERATIONAL_DATA,
};

/** One kind of event as it is delivered. */
export interface EventPayload {
  name: string;
  summary: string;
  schema: z.ZodType;
}

/** The name of an event type as identifiers have it: `posthorn.endpoint.failing` is `PosthornEndpointFailing`. */
export const inOneWord = (type: string): string =>
  type.replaceAll(/(?:^|\.)([A-Za-z])/g, (_, first) => first.toUpperCase());

/** Every built-in event, and last the shape that all of them have, those that clients publish included. */
export const eventPayloads: readonly EventPayload[] = [
  ...BUILT_IN_TYPES.map((name) => {
    const summary = BUILT_IN_DESCRIPTIONS[name];
    const schema = Event.extend({ type: z.literal(name), data: DATA[name] }).meta({
      id: `${name.replaceAll(".", "_")}Event`,
    });
    return { name, summary, schema };
  }),
  { name: "AnyEvent", summary: "Any event, of your own types too", schema: Event },
];
