/** What an API key may be allowed to do. */
export const API_KEY_SCOPES = [
  "carts:read",
  "carts:write",
  "orders:read",
  "orders:write",
  "orders:fulfil",
  "events:read",
  "events:write",
  "events:expunge",
  "webhooks:read",
  "webhooks:write",
  "deliveries:read",
  "deliveries:replay",
  "secrets:rotate",
  "keys:manage",
  "portal-links:read",
  "portal-links:write",
] as const;

/** Scopes that only signed-in staff hold, through their role. */
const STAFF_SCOPES = [
  "tenants:read",
  "tenants:write",
  "staff:manage",
  "audit:read",
  "settings:read",
  "account:manage",
  "event-types:write",
] as const;

/** Scopes that only the bearer of a link to the portal holds. */
export const PORTAL_SCOPES = ["portal:read"] as const;

export type Scope =
  | (typeof API_KEY_SCOPES)[number]
  | (typeof STAFF_SCOPES)[number]
  | (typeof PORTAL_SCOPES)[number];

export const ROLES = ["viewer", "support", "operator", "admin"] as const;
export type Role = (typeof ROLES)[number];

const viewer: Scope[] = [
  "tenants:read",
  // One's own password and sessions.
  "account:manage",
  "carts:read",
  "orders:read",
  "events:read",
  "webhooks:read",
  "deliveries:read",
  "portal-links:read",
];
const support: Scope[] = [...viewer, "deliveries:replay"];
const operator: Scope[] = [...support, "webhooks:write", "secrets:rotate", "portal-links:write"];
const admin: Scope[] = [
  ...operator,
  "keys:manage",
  "event-types:write",
  "events:expunge",
  "tenants:write",
  "staff:manage",
  "audit:read",
  "settings:read",
];

/** The scopes of each role of the console; each role holds those of the one before it. */
export const ROLE_SCOPES: Record<Role, readonly Scope[]> = { viewer, support, operator, admin };
