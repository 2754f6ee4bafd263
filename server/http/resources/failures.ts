import { dismissDeliveries, listFailures } from "#contracts/failures.ts";
import { dismissDeliveries as dismissMany } from "#server/deliveries/dismiss-deliveries.ts";
import { listFailures as groupFailures } from "#server/deliveries/failures.ts";
import { route } from "../route.ts";

export const failureRoutes = [
  route(listFailures, { handle: async (ctx) => ({ body: await groupFailures(ctx) }) }),
  route(dismissDeliveries, {
    handle: async (ctx, { body, query }) => ({
      body: await dismissMany(ctx, body, query.dry_run === "true"),
    }),
  }),
];
