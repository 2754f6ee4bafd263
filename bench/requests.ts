import { typeOf } from "./shop.ts";

/** What a POST needs beside its headers. */
export interface PostRequest {
  path: string;
  body: string;
}

/** Publishes one event, or `size` of them in a batch. */
export function eventRequest(bodyBytes: number, size?: number): PostRequest {
  const event = `{"type":"${typeOf(0)}","data":${eventData(bodyBytes)}}`;
  if (size === undefined) return { path: "/api/v1/events", body: event };
  return { path: "/api/v1/events/batch", body: `{"events":[${Array(size).fill(event).join(",")}]}` };
}

/** JSON text of about `bytes` bytes, shaped like an order: reading it costs what reading real data costs. */
export function eventData(bytes: number): string {
  const item = {
    sku: "TEA-0042",
    name: "Darjeeling, first flush",
    quantity: 2,
    price: 12.5,
    tags: ["tea", "loose"],
  };
  const order = { Id: 1042, CustomerId: "c-77", Currency: "EUR", Total: 99.9, items: [item] };
  while (JSON.stringify(order).length + JSON.stringify(item).length < bytes) order.items.push(item);
  return JSON.stringify({
    ...order,
    note: "x".repeat(Math.max(0, bytes - JSON.stringify(order).length - 10)),
  });
}
