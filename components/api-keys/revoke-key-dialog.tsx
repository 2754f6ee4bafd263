"use client";

import { Text } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { endKey, keysQuery } from "#client/api-keys.ts";
import type { ApiKey } from "#contracts/keys.ts";
import { useAnnounce } from "../announcer.tsx";
import { ConfirmModal } from "../confirm-modal.tsx";
import { useConsole } from "../console-context.tsx";
import { Ago } from "../time.tsx";

/** Revokes a key once somebody has read what that does. */
export function RevokeKeyDialog({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const { tenantId } = useConsole();
  const client = useQueryClient();
  const announce = useAnnounce();
  const revoking = useMutation({
    mutationFn: () => endKey(tenantId, apiKey.id),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: keysQuery(tenantId).queryKey });
      announce(`${apiKey.name} is revoked`);
      onClose();
    },
  });
  return (
    <ConfirmModal
      title={`Revoke “${apiKey.name}”?`}
      action="Revoke"
      isDangerous
      isBusy={revoking.isPending}
      error={revoking.error}
      onConfirm={() => revoking.mutate()}
      onClose={onClose}
    >
      <Text size="sm">
        Whatever uses it is refused from now on, and it cannot be brought back. It{" "}
        {apiKey.last_used_at ? (
          <>
            was last used <Ago at={apiKey.last_used_at} />
          </>
        ) : (
          "was never used"
        )}
        .
      </Text>
    </ConfirmModal>
  );
}
