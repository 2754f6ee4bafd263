import * as z from "zod";
import { Amount, CurrencyCode } from "./money.ts";
import { operation } from "./operation.ts";
import { Int64, Link, pageOf, pageQuery, Timestamp } from "./page.ts";
import { isStorableJson, storableText } from "./text.ts";

export const ORDER_STATUSES = ["awaiting-payment", "paid", "shipped", "cancelled"] as const;
export const OrderStatus = z.enum(ORDER_STATUSES).meta({ id: "OrderStatus" });
export type OrderStatus = z.infer<typeof OrderStatus>;

export const MAX_ADDRESS_BYTES = 2048;
const ShippingAddress = z
  .union([z.string(), z.record(z.string(), z.unknown())])
  .refine(
    (value) => new TextEncoder().encode(JSON.stringify(value)).length <= MAX_ADDRESS_BYTES,
    "must be at most 2 kB",
  )
  .refine(isStorableJson, "must not hold NUL or half of a surrogate pair")
  .nullable()
  .meta({ example: { line1: "1 High Street", city: "Leeds", country: "GB" } });

export const Order = z
  .object({
    id: Int64.meta({ example: 1001 }),
    status: OrderStatus,
    CustomerId: z.string().meta({ example: "cus_42" }),
    Total: z.number().meta({ example: 49.9 }),
    Currency: z.string().meta({ example: "EUR" }),
    shipping_address: ShippingAddress,
    version: Int64.describe("Grows by one on every change; sent quoted as the ETag."),
    links: z.array(Link).describe("What can be done in the current state."),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: "Order" });
export type Order = z.infer<typeof Order>;

export const NewOrder = z
  .strictObject({
    CustomerId: z
      .union([storableText().min(1).max(64), z.int()])
      .transform(String)
      .meta({ example: "cus_42" }),
    Total: Amount,
    Currency: CurrencyCode,
    shipping_address: ShippingAddress.optional(),
  })
  .meta({ id: "NewOrder" });
export type NewOrder = z.infer<typeof NewOrder>;

export const Payment = z
  .strictObject({
    method: storableText().min(1).max(64).optional(),
    reference: storableText().min(1).max(255).optional(),
  })
  .meta({ id: "Payment", example: { method: "card", reference: "ch_123" } });

const OrderUpdate = z.strictObject({ shipping_address: ShippingAddress }).meta({ id: "OrderUpdate" });

export const Cancellation = z
  .strictObject({ reason: storableText().min(1).max(500).optional() })
  .meta({ id: "Cancellation", example: { reason: "ordered twice" } });

export const Shipment = z
  .strictObject({
    carrier: storableText().min(1).max(64).optional(),
    tracking: storableText().min(1).max(255).optional(),
  })
  .meta({ id: "Shipment", example: { carrier: "DHL", tracking: "00340434161094022115" } });

const OrderParams = z.object({ id: z.string().meta({ example: "1001" }) });

export const createOrder = operation({
  id: "createOrder",
  tag: "Orders",
  method: "POST",
  path: "/orders",
  summary: "Create an order",
  description: "Emits `OrderCreated`.",
  scope: "orders:write",
  body: NewOrder,
  response: Order,
  status: 201,
  versioned: true,
});

export const listOrders = operation({
  id: "listOrders",
  tag: "Orders",
  method: "GET",
  path: "/orders",
  summary: "List orders, newest first",
  scope: "orders:read",
  query: z.strictObject({
    ...pageQuery,
    status: OrderStatus.optional(),
    CustomerId: z.string().min(1).max(64).optional().meta({ example: "cus_42" }),
  }),
  response: pageOf(Order, "OrderPage"),
  status: 200,
});

export const getOrder = operation({
  id: "getOrder",
  tag: "Orders",
  method: "GET",
  path: "/orders/{id}",
  summary: "Read one order",
  scope: "orders:read",
  params: OrderParams,
  response: Order,
  status: 200,
  versioned: true,
});

export const updateOrder = operation({
  id: "updateOrder",
  tag: "Orders",
  method: "PUT",
  path: "/orders/{id}",
  summary: "Change where an order goes",
  description:
    "Replaces the shipping address of an order that has not been shipped or cancelled. The version grows by one each time, and each time there is an `OrderUpdated`. A repeat after a lost answer gets 412, although the first may have succeeded: read the order and compare.",
  scope: "orders:write",
  params: OrderParams,
  body: OrderUpdate,
  response: Order,
  status: 204,
  prefer: "representation",
  ifMatch: "required",
  versioned: true,
  problems: ["state-conflict"],
});

export const payOrder = operation({
  id: "payOrder",
  tag: "Orders",
  method: "POST",
  path: "/orders/{id}/payment",
  summary: "Record the payment of an order",
  description: "Emits `PaymentCaptured`. Only an order that awaits payment can be paid.",
  scope: "orders:write",
  params: OrderParams,
  body: Payment,
  bodyOptional: true,
  response: Order,
  status: 200,
  versioned: true,
  problems: ["state-conflict"],
});

export const cancelOrder = operation({
  id: "cancelOrder",
  tag: "Orders",
  method: "PUT",
  path: "/orders/{id}/cancellation",
  summary: "Cancel an order",
  description:
    "Emits `OrderCancelled`. An order can be cancelled until it is shipped. Of one that is cancelled already the answer is the same, and nothing is emitted.",
  scope: "orders:write",
  params: OrderParams,
  body: Cancellation,
  bodyOptional: true,
  response: Order,
  status: 200,
  versioned: true,
  problems: ["state-conflict"],
});

export const shipOrder = operation({
  id: "shipOrder",
  tag: "Orders",
  method: "PUT",
  path: "/orders/{id}/shipment",
  summary: "Record the shipment of an order",
  description:
    "Emits `OrderShipped`. Only a paid order can be shipped. Of one that is shipped already the answer is the same, and nothing is emitted.",
  scope: "orders:fulfil",
  params: OrderParams,
  body: Shipment,
  bodyOptional: true,
  response: Order,
  status: 200,
  versioned: true,
  problems: ["state-conflict"],
});
