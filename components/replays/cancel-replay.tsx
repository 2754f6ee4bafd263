"use client";

import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconPlayerStop } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { cancelRefusal } from "#client/refusals.ts";
import { progressOf, replayQuery, stopReplay } from "#client/replays.ts";
import type { Replay } from "#contracts/replays.ts";
import { GuardedButton } from "../guarded-button.tsx";
import { ProblemAlert } from "../problem-alert.tsx";
import { useWorkspace } from "../workspace-context.tsx";

/** Stops a replay, after saying what that does and does not do. */
export function CancelReplay({ replay }: { replay: Replay }) {
  const { tenantId, refuse } = useWorkspace();
  const [isOpen, dialog] = useDisclosure(false);
  const client = useQueryClient();
  const { queryKey } = replayQuery(tenantId, replay.id);
  const cancelling = useMutation({
    mutationFn: () => stopReplay(tenantId, replay.id),
    onSuccess: (stopped) => {
      client.setQueryData(queryKey, stopped);
      dialog.close();
    },
    // It may have ended meanwhile: then the page says so.
    onError: () => client.invalidateQueries({ queryKey }),
  });
  const { words, open } = progressOf(replay);
  return (
    <>
      <GuardedButton
        variant="default"
        leftSection={<IconPlayerStop size={16} />}
        refusal={cancelRefusal(replay, refuse)}
        saysWhy
        onClick={dialog.open}
      >
        Cancel replay
      </GuardedButton>
      <Modal opened={isOpen} onClose={dialog.close} title="Cancel this replay?" centered>
        <Stack gap="sm">
          <Text size="sm">
            {words} have ended, {open.toLocaleString("en")} are left. No further delivery is put back; those
            that already were are still sent, and counted. It cannot be taken up again, but a new replay can
            be made of what is left.
          </Text>
          {cancelling.error && <ProblemAlert error={cancelling.error} />}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={dialog.close} data-autofocus>
              Let it go on
            </Button>
            <Button color="red.9" loading={cancelling.isPending} onClick={() => cancelling.mutate()}>
              Cancel replay
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}
