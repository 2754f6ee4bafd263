import { createEndpoint, getEndpoint, listEndpoints } from "#contracts/endpoints.ts";
import { fromId } from "#contracts/ids.ts";
import { type EndpointRow, findEndpoint } from "#db/queries/endpoints.ts";
import type { Ctx } from "#server/context.ts";
import { createEndpoint as registerEndpoint } from "#server/endpoints/create-endpoint.ts";
import { listEndpoints as readEndpoints } from "#server/endpoints/list-endpoints.ts";
import { toEndpoint } from "#server/endpoints/to-endpoint.ts";
import { listRoute } from "../list-route.ts";
import { route } from "../route.ts";

const find = async (ctx: Ctx, params: { id: string }) => {
  const id = fromId("endpoint", params.id);
  return id === undefined ? undefined : findEndpoint(ctx.db, ctx.tenantId, id);
};

export const endpointRoutes = [
  route(createEndpoint, {
    async handle(ctx, { body }) {
      const { endpoint, secret, secretKeyId } = await registerEndpoint(ctx, body);
      const shown = toEndpoint(endpoint);
      return {
        body: { ...shown, secret, secret_key_id: secretKeyId },
        version: endpoint.version,
        location: `/webhook-endpoints/${shown.id}`,
      };
    },
  }),
  route(getEndpoint, {
    find,
    handle: async (_ctx, { found }) => ({ body: toEndpoint(found), version: found.version }),
  }),
  listRoute(listEndpoints, {
    read: (conn, ctx, _input, page) => readEndpoints(conn, ctx.tenantId, page),
    position: (endpoint: EndpointRow) => [endpoint.createdPosition, endpoint.id],
    show: toEndpoint,
  }),
];
