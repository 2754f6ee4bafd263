import { toId } from "#contracts/ids.ts";
import { type Portal, type PortalLink, portalScopes } from "#contracts/portal-links.ts";
import type { LinkRecord, PortalRow } from "#db/queries/portal-links.ts";
import { keyState } from "../keys/to-api-key.ts";

/** A link as answers and the audit log show it. */
export function toPortalLink(link: LinkRecord, now: Date): PortalLink {
  return {
    id: toId("portalLink", link.id),
    name: link.name,
    access: link.access as PortalLink["access"],
    theme: { name: link.themeName, accent_color: link.accentColor, has_logo: link.hasLogo },
    frame_ancestors: link.frameAncestors,
    state: keyState(link, now),
    created_by: link.createdBy,
    created_at: link.createdAt.toISOString(),
    expires_at: link.expiresAt.toISOString(),
    revoked_at: link.revokedAt?.toISOString() ?? null,
    last_used_at: link.lastUsedAt?.toISOString() ?? null,
  };
}

/** A link as its bearer is shown it. */
export function toPortal(row: PortalRow): Portal {
  return {
    id: toId("portalLink", row.id),
    tenant: { id: toId("tenant", row.tenantId), name: row.tenantName },
    theme: { name: row.themeName, accent_color: row.accentColor, logo_url: row.logoUrl },
    access: row.access as Portal["access"],
    scopes: portalScopes(row.access),
    expires_at: row.expiresAt.toISOString(),
  };
}
