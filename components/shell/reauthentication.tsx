"use client";

import { Button, Group, Modal, PasswordInput, Stack, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useEffect, useState } from "react";
import { giveOwnPassword } from "#client/account.ts";
import { fieldProblem } from "#client/field-problem.ts";
import { askBy } from "#client/reauthentication.ts";
import { useConsole } from "../console-context.tsx";
import { ProblemAlert } from "../problem-alert.tsx";

interface Question {
  answer: () => void;
  decline: () => void;
}

/** Asks for the password when something needs one that was given lately; what was being done then goes on. */
export function Reauthentication() {
  const { user } = useConsole();
  const [question, setQuestion] = useState<Question | null>(null);
  const [password, setPassword] = useState("");
  const giving = useMutation({ mutationFn: () => giveOwnPassword(password) });
  useEffect(
    () =>
      askBy(
        () =>
          new Promise<void>((resolve, reject) =>
            setQuestion({ answer: resolve, decline: () => reject(new Error("declined")) }),
          ),
      ),
    [],
  );
  const close = (how: keyof Question) => {
    question?.[how]();
    setQuestion(null);
    setPassword("");
    giving.reset();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // The form that asked may lie around this one in React's tree.
    event.stopPropagation();
    giving.mutate(undefined, { onSuccess: () => close("answer") });
  };
  const wrong = fieldProblem(giving.error, "password");
  return (
    <Modal
      opened={question !== null}
      onClose={() => close("decline")}
      title="Is it you?"
      zIndex={400}
      size="sm"
    >
      <form onSubmit={submit}>
        <Stack gap="sm">
          <Text size="sm">
            This needs your password again, since you gave it more than ten minutes ago. What you were doing
            goes on afterwards.
          </Text>
          {/* For password managers. */}
          <input type="hidden" name="username" autoComplete="username" value={user.email} readOnly />
          <PasswordInput
            label="Your password"
            name="password"
            autoComplete="current-password"
            data-autofocus
            value={password}
            error={wrong}
            onChange={(event) => setPassword(event.currentTarget.value)}
            visibilityToggleButtonProps={{ "aria-label": "Show your password" }}
          />
          {giving.error && !wrong && <ProblemAlert error={giving.error} />}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={() => close("decline")}>
              Cancel
            </Button>
            <Button type="submit" loading={giving.isPending} disabled={password === ""}>
              Go on
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
