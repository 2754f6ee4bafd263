"use client";

import { Button, Group, Modal, Radio, Stack, Text } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { uuidv7 } from "uuidv7";
import { keysQuery, replaceKey } from "#client/api-keys.ts";
import type { ApiKey } from "#contracts/keys.ts";
import { useAnnounce } from "../announcer.tsx";
import { useConsole } from "../console-context.tsx";
import { ProblemAlert } from "../problem-alert.tsx";
import { KeyOnce } from "./key-once.tsx";

const OVERLAPS = [
  { seconds: 86_400, label: "24 hours" },
  { seconds: 604_800, label: "7 days" },
  { seconds: 3_600, label: "1 hour" },
  { seconds: 0, label: "None: the old key ends at once" },
] as const;

/** Replaces a key; the old one stays valid for a while. */
export function RotateKeyDialog({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const { tenantId } = useConsole();
  const client = useQueryClient();
  const announce = useAnnounce();
  const [seconds, choose] = useState<number>(OVERLAPS[0].seconds);
  const replacing = useMutation({
    mutationFn: () => replaceKey(tenantId, apiKey.id, seconds, uuidv7()),
    gcTime: 0,
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: keysQuery(tenantId).queryKey });
      announce("The key is replaced. The new one is shown this once.");
    },
  });
  return (
    <Modal
      opened
      onClose={onClose}
      title={`Rotate “${apiKey.name}”`}
      size="lg"
      closeOnClickOutside={!replacing.data}
    >
      {replacing.data ? (
        <KeyOnce made={replacing.data} onClose={onClose} />
      ) : (
        <Stack gap="md">
          <Text size="sm">
            The new key has the same name, scopes and end, and counts as the same program: its cursors and
            idempotency keys go on working.
          </Text>
          <Radio.Group
            label="How long the old key stays valid"
            value={String(seconds)}
            onChange={(value) => choose(Number(value))}
          >
            <Stack gap="xs" mt="xs">
              {OVERLAPS.map((each) => (
                <Radio key={each.seconds} value={String(each.seconds)} label={each.label} />
              ))}
            </Stack>
          </Radio.Group>
          {seconds === 0 && (
            <Text size="sm" c="var(--ph-bad)">
              Programs that use the old key are refused from that moment on.
            </Text>
          )}
          {replacing.error && <ProblemAlert error={replacing.error} />}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button loading={replacing.isPending} onClick={() => replacing.mutate()}>
              Make the new key
            </Button>
          </Group>
        </Stack>
      )}
    </Modal>
  );
}
