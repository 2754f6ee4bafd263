import { openApiRoute } from "./openapi/openapi-route.ts";
import { accountRoutes } from "./resources/account.ts";
import { auditRoutes } from "./resources/audit.ts";
import { cartRoutes } from "./resources/carts.ts";
import { deliveryRoutes } from "./resources/deliveries.ts";
import { endpointPreviewRoutes } from "./resources/endpoint-previews.ts";
import { endpointSecretRoutes } from "./resources/endpoint-secrets.ts";
import { endpointStatsRoutes } from "./resources/endpoint-stats.ts";
import { endpointRoutes } from "./resources/endpoints.ts";
import { eventTypeRoutes } from "./resources/event-types.ts";
import { eventRoutes } from "./resources/events.ts";
import { failureRoutes } from "./resources/failures.ts";
import { keyRoutes } from "./resources/keys.ts";
import { orderRoutes } from "./resources/orders.ts";
import { portalRoutes } from "./resources/portal-links.ts";
import { replayRoutes } from "./resources/replays.ts";
import { secondFactorRoutes } from "./resources/second-factors.ts";
import { settingsRoutes } from "./resources/settings.ts";
import { staffRoutes } from "./resources/staff.ts";
import { tenantStatsRoutes } from "./resources/tenant-stats.ts";
import { tenantRoutes } from "./resources/tenants.ts";
import { testEventRoutes } from "./resources/test-events.ts";
import type { Route } from "./route.ts";

/** Every operation of the contract with what answers it, and the document that describes them. */
export const routes: readonly Route[] = [
  ...cartRoutes,
  ...orderRoutes,
  ...eventRoutes,
  ...eventTypeRoutes,
  ...endpointRoutes,
  ...endpointSecretRoutes,
  ...testEventRoutes,
  ...endpointStatsRoutes,
  ...endpointPreviewRoutes,
  ...deliveryRoutes,
  ...failureRoutes,
  ...tenantStatsRoutes,
  ...replayRoutes,
  ...keyRoutes,
  ...portalRoutes,
  ...tenantRoutes,
  ...staffRoutes,
  ...accountRoutes,
  ...secondFactorRoutes,
  ...auditRoutes,
  ...settingsRoutes,
  openApiRoute,
];
