"use client";

import { Button, Divider, Group, Modal, PasswordInput, Stack, Text, TextInput } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { type FormEvent, useEffect, useState } from "react";
import { giveOwnPassword } from "#client/account.ts";
import { fieldProblem, isToldByFields } from "#client/field-problem.ts";
import { passkeyRefusalHere, signInWithPasskey } from "#client/passkeys.ts";
import { askBy } from "#client/reauthentication.ts";
import { secondFactorsQuery } from "#client/second-factors.ts";
import { signInWords } from "#client/sign-in-words.ts";
import { useConsole } from "../console-context.tsx";
import { ProblemAlert } from "../problem-alert.tsx";

interface Question {
  answer: () => void;
  decline: () => void;
}

/** Asks who it is when something needs a proof that was given lately; what was being done then goes on. */
export function Reauthentication() {
  const [question, setQuestion] = useState<Question | null>(null);
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
  };
  return (
    <Modal
      opened={question !== null}
      onClose={() => close("decline")}
      title="Is it you?"
      zIndex={400}
      size="sm"
    >
      <Proofs onProved={() => close("answer")} onDecline={() => close("decline")} />
    </Modal>
  );
}

interface ProofProps {
  onProved: () => void;
  onDecline: () => void;
}

/** Password and code, or a passkey where there is one. */
function Proofs({ onProved, onDecline }: ProofProps) {
  const factors = useQuery(secondFactorsQuery);
  const hasPasskey = (factors.data?.passkeys.length ?? 0) > 0 && passkeyRefusalHere() === null;
  const proving = useMutation({ mutationFn: signInWithPasskey, onSuccess: onProved });
  return (
    <Stack gap="sm">
      <PasswordProof
        needsCode={factors.data?.two_factor === true}
        onProved={onProved}
        onDecline={onDecline}
      />
      {hasPasskey && (
        <>
          <Divider label="or" />
          {proving.error && (
            <Text size="sm" c="var(--mantine-color-error)" role="alert">
              {signInWords(proving.error)}
            </Text>
          )}
          <Button variant="default" loading={proving.isPending} onClick={() => proving.mutate()}>
            Use a passkey
          </Button>
        </>
      )}
    </Stack>
  );
}

function PasswordProof({ needsCode, onProved, onDecline }: ProofProps & { needsCode: boolean }) {
  const { user } = useConsole();
  const [password, setPassword] = useState("");
  const [code, setCode] = useState("");
  const giving = useMutation({
    mutationFn: () => giveOwnPassword(password, needsCode ? code : undefined),
    onSuccess: onProved,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // The form that asked may lie around this one in React's tree.
    event.stopPropagation();
    giving.mutate();
  };
  const isTold = isToldByFields(giving.error, needsCode ? ["password", "code"] : ["password"]);
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <Text size="sm">
          This needs your password{needsCode && " and a code"} again, since you gave it more than ten minutes
          ago. What you were doing goes on afterwards.
        </Text>
        {/* For password managers. */}
        <input type="hidden" name="username" autoComplete="username" value={user.email} readOnly />
        <PasswordInput
          label="Your password"
          name="password"
          autoComplete="current-password"
          data-autofocus
          value={password}
          error={fieldProblem(giving.error, "password")}
          onChange={(event) => setPassword(event.currentTarget.value)}
          visibilityToggleButtonProps={{ "aria-label": "Show your password" }}
        />
        {needsCode && (
          <TextInput
            label="Code"
            description="Of your authenticator app, or a backup code."
            name="code"
            autoComplete="one-time-code"
            spellCheck={false}
            autoCapitalize="none"
            maxLength={64}
            value={code}
            error={fieldProblem(giving.error, "code")}
            onChange={(event) => setCode(event.currentTarget.value)}
          />
        )}
        {giving.error && !isTold && <ProblemAlert error={giving.error} />}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onDecline}>
            Cancel
          </Button>
          <Button
            type="submit"
            loading={giving.isPending}
            disabled={password === "" || (needsCode && code === "")}
          >
            Go on
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
