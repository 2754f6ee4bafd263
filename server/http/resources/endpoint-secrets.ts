import { listSecrets, revokeSecret, rotateSecret } from "#contracts/endpoint-secrets.ts";
import { listEndpointSecrets } from "#db/queries/endpoint-secrets.ts";
import { boundedRead } from "#server/bounded-read.ts";
import { revokeSecret as endSecret } from "#server/endpoints/revoke-secret.ts";
import { rotateSecret as makeSecret } from "#server/endpoints/rotate-secret.ts";
import { toSecrets } from "#server/endpoints/to-secret.ts";
import { route } from "../route.ts";
import { findByPath } from "./endpoints.ts";

export const endpointSecretRoutes = [
  route(rotateSecret, {
    find: findByPath,
    handle: async (ctx, { found, body, params }) => ({
      body: await makeSecret(ctx, found.id, body),
      location: `/webhook-endpoints/${params.id}/secrets`,
    }),
  }),
  route(listSecrets, {
    find: findByPath,
    async handle(ctx, { found }) {
      const rows = await boundedRead(ctx.db, (conn) => listEndpointSecrets(conn, ctx.tenantId, found.id));
      return { body: { items: toSecrets(rows, ctx.now()) } };
    },
  }),
  route(revokeSecret, {
    find: findByPath,
    async handle(ctx, { found, params }) {
      await endSecret(ctx, found.id, params.kid);
      return {};
    },
  }),
];
