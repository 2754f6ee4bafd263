import type { API_KEY_SCOPES } from "#contracts/scopes.ts";

export type KeyScope = (typeof API_KEY_SCOPES)[number];

/** What each scope lets a program do. Total: a new scope does not compile until it has words. */
export const SCOPE_WORDS: Record<KeyScope, string> = {
  "events:read": "read the feed of events",
  "events:write": "publish events, and change event types",
  "events:expunge": "erase what an event carries, for good",
  "webhooks:read": "see endpoints and how they are doing",
  "webhooks:write": "register, change, pause and delete endpoints",
  "deliveries:read": "see deliveries, attempts and replays",
  "deliveries:replay": "send again, dismiss, cancel, and send test events",
  "secrets:rotate": "rotate and revoke signing secrets",
  "carts:read": "read carts",
  "carts:write": "create, change and check out carts",
  "orders:read": "read orders",
  "orders:write": "create, pay, change and cancel orders",
  "orders:fulfil": "ship orders",
  "keys:manage": "make and revoke API keys",
  "portal-links:read": "see links to the consumer portal",
  "portal-links:write": "make and revoke links to the consumer portal",
};

/** The scopes as they are chosen: by what they are about. */
export const SCOPE_GROUPS: readonly { label: string; scopes: readonly KeyScope[] }[] = [
  { label: "Events", scopes: ["events:read", "events:write", "events:expunge"] },
  { label: "Endpoints", scopes: ["webhooks:read", "webhooks:write", "secrets:rotate"] },
  { label: "Deliveries", scopes: ["deliveries:read", "deliveries:replay"] },
  { label: "Orders", scopes: ["orders:read", "orders:write", "orders:fulfil"] },
  { label: "Carts", scopes: ["carts:read", "carts:write"] },
  { label: "API keys", scopes: ["keys:manage"] },
  { label: "Consumer portal", scopes: ["portal-links:read", "portal-links:write"] },
];
