"use client";

import { Button, Group, List, Modal, Stack, Text, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconEraser } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { expunge, type StoredEvent } from "#client/events.ts";
import { expungeRefusal } from "#client/refusals.ts";
import { useAnnounce } from "../announcer.tsx";
import { GuardedButton } from "../guarded-button.tsx";
import { ProblemAlert } from "../problem-alert.tsx";
import { useWorkspace } from "../workspace-context.tsx";

const WORD = "expunge";

/** Erases what an event carries, after asking in a way that nobody answers by accident. */
export function ExpungeButton({ event }: { event: StoredEvent }) {
  const { refuse } = useWorkspace();
  const [isOpen, dialog] = useDisclosure(false);
  return (
    <>
      <GuardedButton
        variant="default"
        leftSection={<IconEraser size={16} />}
        refusal={expungeRefusal(event, refuse)}
        saysWhy
        onClick={dialog.open}
      >
        Expunge data
      </GuardedButton>
      <Modal opened={isOpen} onClose={dialog.close} title="Expunge the data of this event?" centered>
        {isOpen && <ExpungeForm event={event} onClose={dialog.close} />}
      </Modal>
    </>
  );
}

function ExpungeForm({ event, onClose }: { event: StoredEvent; onClose: () => void }) {
  const { tenantId } = useWorkspace();
  const client = useQueryClient();
  const announce = useAnnounce();
  const [typed, setTyped] = useState("");
  const [isMissing, setMissing] = useState(false);
  const erasing = useMutation({
    mutationFn: () => expunge(tenantId, event.id),
    onSuccess: async () => {
      announce("The data of the event was expunged");
      onClose();
      await Promise.all([
        client.invalidateQueries({ queryKey: ["events"] }),
        client.invalidateQueries({ queryKey: ["deliveries"] }),
      ]);
    },
  });
  const submit = (submitted: FormEvent) => {
    submitted.preventDefault();
    const isConfirmed = typed.trim().toLowerCase() === WORD;
    setMissing(!isConfirmed);
    if (isConfirmed) erasing.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <Text size="sm">For data that must not be kept. It cannot be undone.</Text>
        <List size="sm" spacing={4}>
          <List.Item>Erased: its data, and with it the answers and headers of its attempts.</List.Item>
          <List.Item>Remains: its id, type, time and sequence, and that attempts were made.</List.Item>
          <List.Item>Deliveries that wait are cancelled, and none of it can be replayed any more.</List.Item>
          <List.Item>Out of reach: what receivers were sent already, and backups of the database.</List.Item>
        </List>
        <TextInput
          data-autofocus
          label={`Type ${WORD} to confirm`}
          autoComplete="off"
          spellCheck={false}
          value={typed}
          error={isMissing ? `Type the word ${WORD}.` : null}
          onChange={(changed) => {
            setTyped(changed.currentTarget.value);
            setMissing(false);
          }}
        />
        {erasing.error && <ProblemAlert error={erasing.error} />}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Keep it
          </Button>
          <Button type="submit" color="red.9" loading={erasing.isPending}>
            Expunge data
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
