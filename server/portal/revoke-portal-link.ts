import { toId } from "#contracts/ids.ts";
import type { Tx } from "#db/client.ts";
import { setLinkRevoked } from "#db/queries/portal-links.ts";
import { appendAudit } from "../audit/append-audit.ts";
import type { Ctx } from "../context.ts";

/** Ends a link for good, from the commit on; nothing is noted when it has been revoked before. */
export async function revokePortalLink(tx: Tx, ctx: Ctx, id: string): Promise<void> {
  const at = ctx.now();
  if (!(await setLinkRevoked(tx, { tenantId: ctx.tenantId, id, at }))) return;
  await appendAudit(tx, ctx, {
    action: "portal_link.revoke",
    target: toId("portalLink", id),
    before: { revoked_at: null },
    after: { revoked_at: at.toISOString() },
  });
}
