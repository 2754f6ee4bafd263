import { typeOf } from "./shop.ts";

/** What a POST needs beside its headers. */
export interface PostRequest {
  path: string;
  body: string;
}

/** Publishes one event, or `size` of them in a batch, round so many endpoints. */
export function eventRequest(
  bodyBytes: number,
  { size, endpoints = 1 }: { size?: number; endpoints?: number } = {},
): PostRequest {
  const data = eventData(bodyBytes);
  const event = (at: number) => `{"type":"${typeOf(at % endpoints)}","data":${data}}`;
  if (size === undefined) return { path: "/api/v1/events", body: event(0) };
  const events = Array.from({ length: size }, (_, at) => event(at));
  return { path: "/api/v1/events/batch", body: `{"events":[${events.join(",")}]}` };
}

/** JSON text of about `bytes` bytes, shaped like an order: reading it costs what reading real data costs. */
function eventData(bytes: number): string {
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
