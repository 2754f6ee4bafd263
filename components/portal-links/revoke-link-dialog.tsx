"use client";

import { endLink, portalLinksQuery } from "#client/portal-links.ts";
import type { PortalLink } from "#contracts/portal-links.ts";
import { RevokeDialog } from "../revoke-dialog.tsx";
import { useWorkspace } from "../workspace-context.tsx";

/** Revokes a link once somebody has read what that does. */
export function RevokeLinkDialog({ link, onClose }: { link: PortalLink; onClose: () => void }) {
  const { tenantId } = useWorkspace();
  return (
    <RevokeDialog
      title={`Revoke the link for “${link.name}”?`}
      lastUsedAt={link.last_used_at}
      revoke={() => endLink(tenantId, link.id)}
      listKey={portalLinksQuery(tenantId).queryKey}
      announcement={`The link for ${link.name} is revoked`}
      onClose={onClose}
    >
      Whoever has it open can do nothing more with it from now on, and it cannot be brought back. What they
      have changed stays as it is.
    </RevokeDialog>
  );
}
