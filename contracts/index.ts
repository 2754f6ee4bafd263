import { changePassword, listOwnSessions, reauthenticate, revokeOwnSession } from "./account.ts";
import { listAuditEntries, verifyAuditLog } from "./audit.ts";
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
import { previewEndpoint } from "./endpoint-preview.ts";
import { listSecrets, revokeSecret, rotateSecret } from "./endpoint-secrets.ts";
import { getEndpointStats } from "./endpoint-stats.ts";
import { disableEndpoint, enableEndpoint, pauseEndpoint } from "./endpoint-status.ts";
import { createEndpoint, deleteEndpoint, getEndpoint, listEndpoints, patchEndpoint } from "./endpoints.ts";
import { deleteEventType, getEventType, listEventTypes, putEventType } from "./event-types.ts";
import { expungeEventData, getEvent, listEvents, publishEvent, publishEvents } from "./events.ts";
import { dismissDeliveries, listFailures } from "./failures.ts";
import { createKey, getKey, listKeys, revokeKey, rotateKey } from "./keys.ts";
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
import {
  createPortalLink,
  getPortal,
  getPortalLink,
  listPortalLinks,
  revokePortalLink,
} from "./portal-links.ts";
import { cancelReplay, createRecovery, createReplay, getReplay, listReplays } from "./replays.ts";
import {
  confirmTwoFactor,
  getSecondFactors,
  patchPasskey,
  removePasskey,
  renewBackupCodes,
  setUpTwoFactor,
  turnOffTwoFactor,
} from "./second-factors.ts";
import { getHealth, getSettings } from "./settings.ts";
import {
  disableStaff,
  enableStaff,
  getStaff,
  inviteStaff,
  listStaff,
  listStaffSessions,
  patchStaff,
  resetSecondFactors,
  resetStaff,
  revokeStaffSession,
  revokeStaffSessions,
} from "./staff.ts";
import { getStats } from "./tenant-stats.ts";
import { createTenant, getTenant, listTenants, patchTenant } from "./tenants.ts";
import { sendTestEvent } from "./test-events.ts";

const list = [
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
  expungeEventData,
  listEventTypes,
  getEventType,
  putEventType,
  deleteEventType,
  createEndpoint,
  listEndpoints,
  getEndpoint,
  patchEndpoint,
  deleteEndpoint,
  enableEndpoint,
  disableEndpoint,
  pauseEndpoint,
  rotateSecret,
  listSecrets,
  revokeSecret,
  sendTestEvent,
  getEndpointStats,
  previewEndpoint,
  listDeliveries,
  getDelivery,
  listAttempts,
  replayDelivery,
  dismissDelivery,
  cancelDelivery,
  listFailures,
  dismissDeliveries,
  getStats,
  createReplay,
  createRecovery,
  listReplays,
  getReplay,
  cancelReplay,
  createKey,
  listKeys,
  getKey,
  rotateKey,
  revokeKey,
  createPortalLink,
  listPortalLinks,
  getPortalLink,
  revokePortalLink,
  getPortal,
  createTenant,
  listTenants,
  getTenant,
  patchTenant,
  inviteStaff,
  listStaff,
  getStaff,
  patchStaff,
  disableStaff,
  enableStaff,
  resetStaff,
  resetSecondFactors,
  listStaffSessions,
  revokeStaffSessions,
  revokeStaffSession,
  changePassword,
  reauthenticate,
  listOwnSessions,
  revokeOwnSession,
  getSecondFactors,
  setUpTwoFactor,
  confirmTwoFactor,
  turnOffTwoFactor,
  renewBackupCodes,
  patchPasskey,
  removePasskey,
  listAuditEntries,
  verifyAuditLog,
  getSettings,
  getHealth,
] as const;

/** An operation of the API as it is written, its id and the types of its parts included. */
export type ApiOperation = (typeof list)[number];

/** Every operation of the API: routes, OpenAPI document and clients are made from this one list. */
export const operations: readonly Operation[] = list;
