"use client";

import { Text } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { noteEndpoint, refreshEndpoints, type StatusChange, setStatus } from "#client/endpoint.ts";
import type { Endpoint } from "#contracts/endpoints.ts";
import { useAnnounce } from "../announcer.tsx";
import { ConfirmModal } from "../confirm-modal.tsx";
import { useWorkspace } from "../workspace-context.tsx";

interface StatusDialogProps {
  endpoint: Endpoint;
  to: StatusChange;
  onClose: () => void;
}

/** Pauses, disables or enables an endpoint once somebody has read what that does. */
export function StatusDialog({ endpoint, to, onClose }: StatusDialogProps) {
  const { tenantId } = useWorkspace();
  const client = useQueryClient();
  const announce = useAnnounce();
  const words = wordsOf(endpoint, to);
  const setting = useMutation({
    mutationFn: () => setStatus(tenantId, endpoint.id, to),
    onSuccess: (changed) => {
      noteEndpoint(client, tenantId, changed);
      void refreshEndpoints(client);
      announce(words.done);
      onClose();
    },
  });
  return (
    <ConfirmModal
      title={words.title}
      action={words.action}
      isDangerous={to === "disable"}
      isBusy={setting.isPending}
      error={setting.error}
      onConfirm={() => setting.mutate()}
      onClose={onClose}
    >
      <Text size="sm">{words.effect}</Text>
    </ConfirmModal>
  );
}

function wordsOf({ status }: Endpoint, to: StatusChange) {
  if (to === "pause")
    return {
      title: "Pause this endpoint?",
      action: "Pause",
      effect:
        "Deliveries go on being made, and are held until somebody resumes it. Only test events are still sent.",
      done: "The endpoint is paused",
    };
  if (to === "disable")
    return {
      title: "Disable this endpoint?",
      action: "Disable",
      effect:
        "New events make no delivery for it, and what is queued is cancelled at once. What it misses can be sent later with “Replay missing”.",
      done: "The endpoint is disabled",
    };
  const isPaused = status === "paused";
  return {
    title: isPaused ? "Resume this endpoint?" : "Enable this endpoint?",
    action: isPaused ? "Resume" : "Enable",
    effect: `It is sent a Ping as a probe, and gets new events again.${isPaused ? " Everything that was held goes out." : " What it missed meanwhile is not sent by itself: use “Replay missing” for that."} Its circuit breaker is closed.`,
    done: isPaused
      ? "The endpoint is resumed; a Ping is on its way"
      : "The endpoint is enabled; a Ping is on its way",
  };
}
