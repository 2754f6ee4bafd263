"use client";

import { Alert, Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconTrash } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { removeEventType } from "#client/event-types.ts";
import type { EventType } from "#contracts/event-types.ts";
import { ApiProblem } from "#sdk/api-problem.ts";
import { useAnnounce } from "../announcer.tsx";
import { GuardedButton } from "../guarded-button.tsx";
import { ProblemAlert } from "../problem-alert.tsx";
import { useWorkspace } from "../workspace-context.tsx";

/** Takes a type out of the catalogue, after asking, and once more where somebody else has changed it meanwhile. */
export function DeleteEventType({ type, refusal }: { type: EventType; refusal: string | null }) {
  const { name, version } = type;
  const { tenantId, href } = useWorkspace();
  const [isOpen, dialog] = useDisclosure(false);
  const router = useRouter();
  const client = useQueryClient();
  const announce = useAnnounce();
  const deleting = useMutation({
    mutationFn: (expected: number | undefined) => removeEventType(tenantId, name, expected),
    onSuccess: () => {
      announce(`The event type ${name} was deleted`);
      router.push(href("/event-types"));
      client.removeQueries({ queryKey: ["event-types", "one", tenantId, name] });
      void client.invalidateQueries({ queryKey: ["event-types", "list"] });
      void client.invalidateQueries({ queryKey: ["event-types", "all"] });
    },
  });
  const isStale = deleting.error instanceof ApiProblem && deleting.error.status === 412;
  return (
    <>
      <GuardedButton
        variant="default"
        leftSection={<IconTrash size={16} />}
        refusal={refusal}
        saysWhy
        onClick={dialog.open}
      >
        Delete
      </GuardedButton>
      <Modal opened={isOpen} onClose={dialog.close} title={`Delete ${name}?`} centered>
        <Stack gap="sm">
          <Text size="sm">
            It leaves the catalogue with its schema. Its events stay, and more can be published, of any
            content. Endpoints that listen to it go on listening.
          </Text>
          {isStale && (
            <Alert role="alert" variant="default" title="Somebody else has changed it">
              Nothing was deleted. Keep it to look at what they made of it: the page shows it when it is read
              again.
            </Alert>
          )}
          {deleting.error && !isStale && <ProblemAlert error={deleting.error} />}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={dialog.close} data-autofocus>
              Keep it
            </Button>
            <Button
              color="red.9"
              loading={deleting.isPending}
              onClick={() => deleting.mutate(isStale ? undefined : version)}
            >
              {isStale ? "Delete it all the same" : "Delete event type"}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}
