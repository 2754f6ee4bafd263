import {
  checkOutCart,
  createCart,
  deleteCart,
  deleteCartItem,
  getCart,
  listCarts,
  patchCart,
  putCartItem,
} from "./carts.ts";
import {
  cancelDelivery,
  dismissDelivery,
  getDelivery,
  listAttempts,
  listDeliveries,
  replayDelivery,
} from "./deliveries.ts";
import { createEndpoint, getEndpoint, listEndpoints } from "./endpoints.ts";
import { getEvent, listEvents, publishEvent, publishEvents } from "./events.ts";
import type { Operation } from "./operation.ts";
import {
  cancelOrder,
  createOrder,
  getOrder,
  listOrders,
  payOrder,
  shipOrder,
  updateOrder,
} from "./orders.ts";
import { listTenants } from "./tenants.ts";

/** Every operation of the API: routes, OpenAPI document and clients are made from this one list. */
export const operations: readonly Operation[] = [
  createCart,
  listCarts,
  getCart,
  patchCart,
  deleteCart,
  putCartItem,
  deleteCartItem,
  checkOutCart,
  createOrder,
  listOrders,
  getOrder,
  updateOrder,
  payOrder,
  cancelOrder,
  shipOrder,
  publishEvent,
  publishEvents,
  listEvents,
  getEvent,
  createEndpoint,
  listEndpoints,
  getEndpoint,
  listDeliveries,
  getDelivery,
  listAttempts,
  replayDelivery,
  dismissDelivery,
  cancelDelivery,
  listTenants,
];
