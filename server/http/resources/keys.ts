import { fromId } from "#contracts/ids.ts";
import { createKey, getKey, listKeys, revokeKey, rotateKey } from "#contracts/keys.ts";
import type { Tx } from "#db/client.ts";
import { findKeyRecord, type KeyRecord } from "#db/queries/keys.ts";
import { appendAudit } from "#server/audit/append-audit.ts";
import type { Ctx } from "#server/context.ts";
import type { MadeApiKey } from "#server/keys/create-api-key.ts";
import { issueApiKey, type NoteKey } from "#server/keys/issue-api-key.ts";
import { listApiKeys } from "#server/keys/list-api-keys.ts";
import { requireGrantable } from "#server/keys/require-grantable.ts";
import { revokeApiKey } from "#server/keys/revoke-api-key.ts";
import { rotateApiKey } from "#server/keys/rotate-api-key.ts";
import { toApiKey } from "#server/keys/to-api-key.ts";
import { listRoute } from "../list-route.ts";
import { route } from "../route.ts";

const find = async (ctx: Ctx, params: { id: string }) => {
  const id = fromId("apiKey", params.id);
  return id === undefined ? undefined : findKeyRecord(ctx.db, ctx.tenantId, id);
};

const noteIn =
  (tx: Tx, ctx: Ctx): NoteKey =>
  (entry) =>
    appendAudit(tx, ctx, entry);

function shownOnce({ record, key }: MadeApiKey, now: Date) {
  const shown = toApiKey(record, now);
  return { body: { ...shown, key }, location: `/api-keys/${shown.id}` };
}

export const keyRoutes = [
  route(createKey, {
    async handle(ctx, { body: { name, scopes, expires_at: expiresAt } }) {
      requireGrantable(ctx.actor, scopes);
      const now = ctx.now();
      const wanted = { tenantId: ctx.tenantId, name, scopes, expiresAt, now };
      return shownOnce(await ctx.transaction((tx) => issueApiKey(tx, noteIn(tx, ctx), wanted)), now);
    },
  }),
  listRoute(listKeys, {
    read: (conn, ctx, _input, page) => listApiKeys(conn, ctx.tenantId, page),
    position: (key: KeyRecord) => [key.createdPosition, key.id],
    show: (key, ctx) => toApiKey(key, ctx.now()),
  }),
  route(getKey, { find, handle: async (ctx, { found }) => ({ body: toApiKey(found, ctx.now()) }) }),
  route(rotateKey, {
    find,
    async handle(ctx, { found, body }) {
      requireGrantable(ctx.actor, found.scopes);
      const now = ctx.now();
      const wanted = { tenantId: ctx.tenantId, id: found.id, overlapSeconds: body.overlap_seconds, now };
      return shownOnce(await ctx.transaction((tx) => rotateApiKey(tx, noteIn(tx, ctx), wanted)), now);
    },
  }),
  route(revokeKey, {
    find,
    async handle(ctx, { found }) {
      const wanted = { tenantId: ctx.tenantId, id: found.id, now: ctx.now() };
      await ctx.transaction((tx) => revokeApiKey(tx, noteIn(tx, ctx), wanted));
      return {};
    },
  }),
];
