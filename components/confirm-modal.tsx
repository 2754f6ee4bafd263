"use client";

import { Button, Group, Modal, Stack, TextInput } from "@mantine/core";
import { type FormEvent, type ReactNode, useState } from "react";
import { ProblemAlert } from "./problem-alert.tsx";

interface ConfirmModalProps {
  title: string;
  /** What the button that does it says. */
  action: string;
  /** To be typed before it is done. */
  typed?: { label: string; text: string };
  isDangerous?: boolean;
  isBusy: boolean;
  error: unknown;
  onConfirm: () => void;
  onClose: () => void;
  /** What will happen. */
  children: ReactNode;
}

/** Asks before something is done that cannot be taken back, or reaches far. Closed by not being there. */
export function ConfirmModal({
  title,
  action,
  typed,
  isDangerous,
  isBusy,
  error,
  onConfirm,
  onClose,
  children,
}: ConfirmModalProps) {
  const [text, setText] = useState("");
  const isReady = !typed || text.trim() === typed.text;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isReady && !isBusy) onConfirm();
  };
  return (
    <Modal opened onClose={onClose} title={title} centered>
      <form onSubmit={submit}>
        <Stack gap="md">
          <div>{children}</div>
          {typed && (
            <TextInput
              data-autofocus
              label={typed.label}
              description={typed.text}
              autoComplete="off"
              spellCheck={false}
              value={text}
              onChange={(event) => setText(event.currentTarget.value)}
            />
          )}
          {error !== null && error !== undefined && <ProblemAlert error={error} />}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              Keep it as it is
            </Button>
            <Button
              type="submit"
              color={isDangerous ? "red" : undefined}
              disabled={!isReady}
              loading={isBusy}
            >
              {action}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
