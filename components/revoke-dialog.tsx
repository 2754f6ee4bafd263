"use client";

import { Text } from "@mantine/core";
import { type QueryKey, useMutation, useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useAnnounce } from "./announcer.tsx";
import { ConfirmModal } from "./confirm-modal.tsx";
import { Ago } from "./time.tsx";

interface RevokeDialogProps {
  title: string;
  lastUsedAt: string | null;
  revoke: () => Promise<unknown>;
  /** The list that shows it. */
  listKey: QueryKey;
  /** What is announced once it is done. */
  announcement: string;
  onClose: () => void;
  /** What revoking does. */
  children: ReactNode;
}

/** Revokes what lets somebody in, once somebody has read what that does. */
export function RevokeDialog(props: RevokeDialogProps) {
  const { title, lastUsedAt, revoke, listKey, announcement, onClose, children } = props;
  const client = useQueryClient();
  const announce = useAnnounce();
  const revoking = useMutation({
    mutationFn: revoke,
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: listKey });
      announce(announcement);
      onClose();
    },
  });
  return (
    <ConfirmModal
      title={title}
      action="Revoke"
      isDangerous
      isBusy={revoking.isPending}
      error={revoking.error}
      onConfirm={() => revoking.mutate()}
      onClose={onClose}
    >
      <Text size="sm">
        {children} It{" "}
        {lastUsedAt ? (
          <>
            was last used <Ago at={lastUsedAt} />
          </>
        ) : (
          "was never used"
        )}
        .
      </Text>
    </ConfirmModal>
  );
}
