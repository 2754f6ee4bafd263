import type { OrderStatus } from "#contracts/orders.ts";
import type { Link } from "#contracts/page.ts";

export type OrderAction = "update" | "pay" | "cancel" | "ship";

interface Transition {
  from: readonly OrderStatus[];
  /** Absent: the order stays in its state. */
  to?: OrderStatus;
  /** Whether to do it again is no conflict, and does nothing. */
  repeatable?: true;
  /** The event that tells of it. */
  event: "OrderUpdated" | "PaymentCaptured" | "OrderCancelled" | "OrderShipped";
  /** "An order that is shipped cannot be …" */
  participle: string;
  /** How a client does it, when a link of the order offers that. */
  call?: { path: string; method: Link["method"] };
}

/** The order machine: what may be done in which state, and where it leads. Everything else is a conflict. */
export const ORDER_MACHINE: Readonly<Record<OrderAction, Transition>> = {
  update: { from: ["awaiting-payment", "paid"], event: "OrderUpdated", participle: "changed" },
  pay: {
    from: ["awaiting-payment"],
    to: "paid",
    event: "PaymentCaptured",
    participle: "paid",
    call: { path: "/payment", method: "POST" },
  },
  cancel: {
    from: ["awaiting-payment", "paid"],
    to: "cancelled",
    repeatable: true,
    event: "OrderCancelled",
    participle: "cancelled",
    call: { path: "/cancellation", method: "PUT" },
  },
  ship: {
    from: ["paid"],
    to: "shipped",
    repeatable: true,
    event: "OrderShipped",
    participle: "shipped",
    call: { path: "/shipment", method: "PUT" },
  },
};

/** The state an action leads to from `status`; `undefined` when it is not possible there. */
export function afterAction(status: OrderStatus, action: OrderAction): OrderStatus | undefined {
  const { from, to = status } = ORDER_MACHINE[action];
  return from.includes(status) ? to : undefined;
}

/** Whether the action has been done already, so that to ask for it again changes nothing and is no conflict. */
export function isRepeat(status: OrderStatus, action: OrderAction): boolean {
  const { to, repeatable } = ORDER_MACHINE[action];
  return repeatable === true && status === to;
}

/** What can be done with an order now. `prefix` is the deployment's, such as `/api/v1`. */
export function orderLinks(order: { id: string; status: OrderStatus }, prefix: string): Link[] {
  const href = `${prefix}/orders/${order.id}`;
  const possible = Object.entries(ORDER_MACHINE).flatMap(([rel, { from, call }]) =>
    call && from.includes(order.status) ? [{ rel, href: href + call.path, method: call.method }] : [],
  );
  return [{ rel: "self", href, method: "GET" }, ...possible];
}

const MAX_INT64 = 9_223_372_036_854_775_807n;

/** The decimal text of an order's id; `undefined` for what no order can have. */
export function parseOrderId(text: string): string | undefined {
  return /^[1-9]\d{0,18}$/.test(text) && BigInt(text) <= MAX_INT64 ? text : undefined;
}
