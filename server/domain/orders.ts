import type { OrderStatus } from "#contracts/orders.ts";
import type { Link } from "#contracts/page.ts";

type OrderAction = "pay" | "ship" | "cancel";

/** The order machine: what may be done in which state, and where it leads. Everything else is a conflict. */
const TRANSITIONS: Record<OrderAction, { from: readonly OrderStatus[]; to: OrderStatus }> = {
  pay: { from: ["awaiting-payment"], to: "paid" },
  cancel: { from: ["awaiting-payment", "paid"], to: "cancelled" },
  ship: { from: ["paid"], to: "shipped" },
};

const CALLS: Record<OrderAction, { path: string; method: Link["method"] }> = {
  pay: { path: "/payment", method: "POST" },
  cancel: { path: "/cancellation", method: "PUT" },
  ship: { path: "/shipment", method: "PUT" },
};
const ACTIONS = ["pay", "cancel", "ship"] as const;

/** The state an action leads to from `status`; `undefined` when it is not possible there. */
export function afterAction(status: OrderStatus, action: OrderAction): OrderStatus | undefined {
  const { from, to } = TRANSITIONS[action];
  return from.includes(status) ? to : undefined;
}

/** What can be done with an order now. `prefix` is the deployment's, such as `/api/v1`. */
export function orderLinks(order: { id: string; status: OrderStatus }, prefix: string): Link[] {
  const href = `${prefix}/orders/${order.id}`;
  const possible = ACTIONS.filter((action) => afterAction(order.status, action) !== undefined);
  return [
    { rel: "self", href, method: "GET" },
    ...possible.map((rel) => ({ rel, href: href + CALLS[rel].path, method: CALLS[rel].method })),
  ];
}

const MAX_INT64 = 9_223_372_036_854_775_807n;

/** The decimal text of an order's id; `undefined` for what no order can have. */
export function parseOrderId(text: string): string | undefined {
  return /^[1-9]\d{0,18}$/.test(text) && BigInt(text) <= MAX_INT64 ? text : undefined;
}
