"use client";

import { Text } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { refreshEndpoints, revoke } from "#client/endpoint.ts";
import { useAnnounce } from "../announcer.tsx";
import { ConfirmModal } from "../confirm-modal.tsx";
import { useWorkspace } from "../workspace-context.tsx";

interface RevokeSecretDialogProps {
  endpointId: string;
  kid: string;
  /** The key that stays valid. */
  current: string;
  onClose: () => void;
}

/** Revokes a signing secret once somebody has read what that does. */
export function RevokeSecretDialog({ endpointId, kid, current, onClose }: RevokeSecretDialogProps) {
  const { tenantId } = useWorkspace();
  const client = useQueryClient();
  const announce = useAnnounce();
  const revoking = useMutation({
    mutationFn: () => revoke(tenantId, endpointId, kid),
    onSuccess: () => {
      announce(`${kid} is revoked`);
      onClose();
    },
    onSettled: () => refreshEndpoints(client),
  });
  return (
    <ConfirmModal
      title={`Revoke ${kid} now?`}
      action={`Revoke ${kid}`}
      isDangerous
      isBusy={revoking.isPending}
      error={revoking.error}
      onConfirm={() => revoking.mutate()}
      onClose={onClose}
    >
      <Text size="sm">
        From now on nothing is signed with it. A receiver that has only this one refuses what it is sent. It
        cannot be brought back; {current} stays valid.
      </Text>
    </ConfirmModal>
  );
}
