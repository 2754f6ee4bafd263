import type { Order } from "#contracts/orders.ts";
import type { OrderRow } from "#db/queries/orders.ts";
import { exactJson, exactNumber, trimDecimal } from "../domain/exact-number.ts";
import { orderLinks } from "../domain/orders.ts";

/** An order as answers show it. */
export function toOrder(row: OrderRow, prefix: string): Order {
  const { created_at, updated_at, ...rest } = snapshot(row);
  return { ...rest, links: orderLinks(row, prefix), created_at, updated_at };
}

/** JSON text of an order as events carry it: the whole representation but for links, and what the call gave. */
export function orderEventData(row: OrderRow, given: Readonly<Record<string, unknown>> = {}): string {
  return JSON.stringify({ ...snapshot(row), ...given });
}

type Address = Order["shipping_address"];

function snapshot(row: OrderRow): Omit<Order, "links"> {
  return {
    id: exactNumber(row.id),
    status: row.status,
    CustomerId: row.customerId,
    Total: exactNumber(trimDecimal(row.total)),
    Currency: row.currency,
    shipping_address: row.shippingAddress === null ? null : (exactJson(row.shippingAddress) as Address),
    version: exactNumber(row.version),
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  };
}
