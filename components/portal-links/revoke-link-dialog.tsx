"use client";

import { Text } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { endLink, portalLinksQuery } from "#client/portal-links.ts";
import type { PortalLink } from "#contracts/portal-links.ts";
import { useAnnounce } from "../announcer.tsx";
import { ConfirmModal } from "../confirm-modal.tsx";
import { Ago } from "../time.tsx";
import { useWorkspace } from "../workspace-context.tsx";

/** Revokes a link once somebody has read what that does. */
export function RevokeLinkDialog({ link, onClose }: { link: PortalLink; onClose: () => void }) {
  const { tenantId } = useWorkspace();
  const client = useQueryClient();
  const announce = useAnnounce();
  const revoking = useMutation({
    mutationFn: () => endLink(tenantId, link.id),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: portalLinksQuery(tenantId).queryKey });
      announce(`The link for ${link.name} is revoked`);
      onClose();
    },
  });
  return (
    <ConfirmModal
      title={`Revoke the link for “${link.name}”?`}
      action="Revoke"
      isDangerous
      isBusy={revoking.isPending}
      error={revoking.error}
      onConfirm={() => revoking.mutate()}
      onClose={onClose}
    >
      <Text size="sm">
        Whoever has it open can do nothing more with it from now on, and it cannot be brought back. What they
        have changed stays as it is. It{" "}
        {link.last_used_at ? (
          <>
            was last used <Ago at={link.last_used_at} />
          </>
        ) : (
          "was never used"
        )}
        .
      </Text>
    </ConfirmModal>
  );
}
