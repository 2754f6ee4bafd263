import { randomInt } from "node:crypto";
import { uuidv7 } from "uuidv7";
import { MAX_ACTIVE_LINKS, type NewLink, PORTAL_ACCESS } from "#contracts/portal-links.ts";
import type { Tx } from "#db/client.ts";
import { countActiveLinks, insertPortalLink, type LinkRecord } from "#db/queries/portal-links.ts";
import { lockTenant } from "#db/queries/tenants.ts";
import { appendAudit, who } from "../audit/append-audit.ts";
import type { Ctx } from "../context.ts";
import { newPortalToken } from "../domain/portal-token.ts";
import { validationError } from "../errors.ts";
import { toPortalLink } from "./to-portal-link.ts";

/** Makes a link for somebody who may give this access, and notes it. 422 when it is one too many. */
export async function makePortalLink(
  tx: Tx,
  ctx: Ctx,
  wanted: NewLink,
): Promise<{ record: LinkRecord; token: string; now: Date }> {
  const { tenantId } = ctx;
  const now = ctx.now();
  await lockTenant(tx, tenantId);
  if ((await countActiveLinks(tx, tenantId, now)) >= MAX_ACTIVE_LINKS)
    throw validationError([
      { detail: `A tenant has at most ${MAX_ACTIVE_LINKS} valid links.`, pointer: "#" },
    ]);
  const { token, hash: tokenHash } = newPortalToken((below) => randomInt(below));
  const { theme } = wanted;
  const record = await insertPortalLink(tx, {
    tenantId,
    id: uuidv7(),
    tokenHash,
    name: wanted.name,
    // In the order of the contract, each once.
    access: PORTAL_ACCESS.filter((name) => wanted.access.includes(name)),
    themeName: theme.name,
    accentColor: theme.accent_color?.toLowerCase() ?? null,
    logoUrl: theme.logo_url,
    frameAncestors: [...new Set(wanted.frame_ancestors)],
    createdBy: who(ctx.actor).actor,
    createdAt: now,
    expiresAt: new Date(now.getTime() + wanted.expires_in_seconds * 1000),
  });
  const after = toPortalLink(record, now);
  await appendAudit(tx, ctx, { action: "portal_link.create", target: after.id, after });
  return { record, token, now };
}
