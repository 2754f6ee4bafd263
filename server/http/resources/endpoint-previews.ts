import { previewEndpoint } from "#contracts/endpoint-preview.ts";
import { previewSubscription } from "#server/endpoints/preview-subscription.ts";
import { route } from "../route.ts";

export const endpointPreviewRoutes = [
  route(previewEndpoint, {
    handle: async (ctx, { body }) => ({ body: await previewSubscription(ctx, body) }),
  }),
];
