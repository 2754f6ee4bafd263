import { getStats } from "#contracts/tenant-stats.ts";
import { tenantStats } from "#server/deliveries/tenant-stats.ts";
import { route } from "../route.ts";

export const tenantStatsRoutes = [
  route(getStats, { handle: async (ctx, { query }) => ({ body: await tenantStats(ctx, query) }) }),
];
