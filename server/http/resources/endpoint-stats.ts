import { getEndpointStats } from "#contracts/endpoint-stats.ts";
import { endpointStats } from "#server/endpoints/endpoint-stats.ts";
import { route } from "../route.ts";
import { findByPath } from "./endpoints.ts";

export const endpointStatsRoutes = [
  route(getEndpointStats, {
    find: findByPath,
    handle: async (ctx, { found, query }) => ({ body: await endpointStats(ctx, found, query) }),
  }),
];
