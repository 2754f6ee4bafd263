import { disableEndpoint, enableEndpoint, pauseEndpoint } from "#contracts/endpoint-status.ts";
import {
  createEndpoint,
  deleteEndpoint,
  type EndpointStatus,
  getEndpoint,
  listEndpoints,
  patchEndpoint,
} from "#contracts/endpoints.ts";
import { fromId } from "#contracts/ids.ts";
import { type EndpointRow, findEndpoint, findEndpointOrTombstone } from "#db/queries/endpoints.ts";
import type { Ctx } from "#server/context.ts";
import { createEndpoint as registerEndpoint } from "#server/endpoints/create-endpoint.ts";
import { deleteEndpoint as removeEndpoint } from "#server/endpoints/delete-endpoint.ts";
import { listEndpoints as readEndpoints } from "#server/endpoints/list-endpoints.ts";
import { setEndpointStatus } from "#server/endpoints/set-endpoint-status.ts";
import { toEndpoint } from "#server/endpoints/to-endpoint.ts";
import { updateEndpoint } from "#server/endpoints/update-endpoint.ts";
import { listRoute } from "../list-route.ts";
import { route } from "../route.ts";

/** The endpoint that a path names. */
export const findByPath = async (ctx: Ctx, params: { id: string }) => {
  const id = fromId("endpoint", params.id);
  return id === undefined ? undefined : findEndpoint(ctx.db, ctx.tenantId, id);
};

/** The endpoint or what was left of it. A tombstone has no version that could be expected. */
const findOrTombstone = async (ctx: Ctx, params: { id: string }) => {
  const id = fromId("endpoint", params.id);
  const found = id === undefined ? undefined : await findEndpointOrTombstone(ctx.db, ctx.tenantId, id);
  return found?.isDeleted ? { id: found.id } : found;
};

const shown = (endpoint: EndpointRow) => ({ body: toEndpoint(endpoint), version: endpoint.version });

const becomes = (status: EndpointStatus) => ({
  find: findByPath,
  handle: async (
    ctx: Ctx,
    { found, expectedVersions }: { found: EndpointRow; expectedVersions: readonly string[] | null },
  ) => shown(await setEndpointStatus(ctx, { id: found.id, expectedVersions }, status)),
});

export const endpointRoutes = [
  route(createEndpoint, {
    async handle(ctx, { body }) {
      const { endpoint, secret, secretKeyId } = await registerEndpoint(ctx, body);
      const { id, ...rest } = toEndpoint(endpoint);
      return {
        body: { id, ...rest, secret, secret_key_id: secretKeyId },
        version: endpoint.version,
        location: `/webhook-endpoints/${id}`,
      };
    },
  }),
  route(getEndpoint, { find: findByPath, handle: async (_ctx, { found }) => shown(found) }),
  listRoute(listEndpoints, {
    read: (conn, ctx, _input, page) => readEndpoints(conn, ctx.tenantId, page),
    position: (endpoint: EndpointRow) => [endpoint.createdPosition, endpoint.id],
    show: toEndpoint,
  }),
  route(patchEndpoint, {
    find: findByPath,
    handle: async (ctx, { found, body, expectedVersions }) =>
      shown(await updateEndpoint(ctx, { id: found.id, expectedVersions }, body)),
  }),
  route(deleteEndpoint, {
    find: findOrTombstone,
    async handle(ctx, { found, expectedVersions }) {
      await removeEndpoint(ctx, { id: found.id, expectedVersions });
      return {};
    },
  }),
  route(enableEndpoint, becomes("enabled")),
  route(disableEndpoint, becomes("disabled")),
  route(pauseEndpoint, becomes("paused")),
];
