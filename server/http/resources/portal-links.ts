import { fromId } from "#contracts/ids.ts";
import {
  createPortalLink,
  getPortal,
  getPortalLink,
  listPortalLinks,
  portalScopes,
  revokePortalLink,
} from "#contracts/portal-links.ts";
import { findPortal, findPortalLink, type LinkRecord, listPortalLinkPage } from "#db/queries/portal-links.ts";
import type { Ctx } from "#server/context.ts";
import { cutPage } from "#server/domain/page.ts";
import { requireHeld } from "#server/keys/require-grantable.ts";
import { makePortalLink } from "#server/portal/make-portal-link.ts";
import { revokePortalLink as endLink } from "#server/portal/revoke-portal-link.ts";
import { toPortal, toPortalLink } from "#server/portal/to-portal-link.ts";
import { listRoute } from "../list-route.ts";
import { route } from "../route.ts";

const find = async (ctx: Ctx, params: { id: string }) => {
  const id = fromId("portalLink", params.id);
  return id === undefined ? undefined : findPortalLink(ctx.db, ctx.tenantId, id);
};

export const portalRoutes = [
  route(createPortalLink, {
    async handle(ctx, { body }) {
      // To know one's own link is nobody's but the bearer's.
      const given = portalScopes(body.access).filter((scope) => scope !== "portal:read");
      requireHeld(ctx.actor, given, "A link cannot be given scopes that its maker does not hold");
      const { record, token, now } = await ctx.transaction((tx) => makePortalLink(tx, ctx, body));
      const shown = toPortalLink(record, now);
      return {
        body: { ...shown, url: `${ctx.origin}/portal/${token}` },
        location: `/portal-links/${shown.id}`,
      };
    },
  }),
  listRoute(listPortalLinks, {
    read: async (conn, ctx, _input, page) =>
      cutPage(await listPortalLinkPage(conn, ctx.tenantId, page), page),
    position: (link: LinkRecord) => [link.createdPosition, link.id],
    show: (link, ctx) => toPortalLink(link, ctx.now()),
  }),
  route(getPortalLink, {
    find,
    handle: async (ctx, { found }) => ({ body: toPortalLink(found, ctx.now()) }),
  }),
  route(revokePortalLink, {
    find,
    async handle(ctx, { found }) {
      await ctx.transaction((tx) => endLink(tx, ctx, found.id));
      return {};
    },
  }),
  route(getPortal, {
    // Nobody but the bearer of a link holds the scope of this.
    find: async (ctx) =>
      ctx.actor.kind === "portal" ? findPortal(ctx.db, ctx.tenantId, ctx.actor.linkId) : undefined,
    handle: async (_ctx, { found }) => ({ body: toPortal(found) }),
  }),
];
