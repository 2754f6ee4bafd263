"use client";

import { Text } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { endpointQuery, remove } from "#client/endpoint.ts";
import { endpointsQuery, partsOfUrl } from "#client/endpoints.ts";
import type { Endpoint } from "#contracts/endpoints.ts";
import { useAnnounce } from "../announcer.tsx";
import { ConfirmModal } from "../confirm-modal.tsx";
import { useWorkspace } from "../workspace-context.tsx";

/** Deletes an endpoint once its host was typed. */
export function DeleteDialog({ endpoint, onClose }: { endpoint: Endpoint; onClose: () => void }) {
  const { tenantId, href } = useWorkspace();
  const router = useRouter();
  const client = useQueryClient();
  const announce = useAnnounce();
  const { host } = partsOfUrl(endpoint.url);
  const deleting = useMutation({
    mutationFn: () => remove(tenantId, endpoint.id),
    onSuccess: () => {
      router.push(href("/endpoints"));
      client.removeQueries({ queryKey: endpointQuery(tenantId, endpoint.id).queryKey });
      void client.invalidateQueries({ queryKey: endpointsQuery(tenantId).queryKey });
      announce("The endpoint is deleted");
    },
  });
  return (
    <ConfirmModal
      title="Delete this endpoint?"
      action="Delete for good"
      typed={{ label: "Type its host to confirm", text: host }}
      isDangerous
      isBusy={deleting.isPending || deleting.isSuccess}
      error={deleting.error}
      onConfirm={() => deleting.mutate()}
      onClose={onClose}
    >
      <Text size="sm">
        Its queued deliveries are cancelled and its secrets destroyed; this cannot be taken back. Deliveries
        and attempts stay readable. To stop it for a while, pause or disable it.
      </Text>
    </ConfirmModal>
  );
}
