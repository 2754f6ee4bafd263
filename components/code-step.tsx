"use client";

import { Anchor, Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useRef, useState } from "react";
import { giveCode } from "#client/session.ts";
import { isSignInOver, signInWords } from "#client/sign-in-words.ts";
import classes from "./sign-in-form.module.css";

interface CodeStepProps {
  onDone: () => void;
  /** The sign-in waits no more: the password must be given again. `why` is for the one who sits there. */
  onOver: (why: string | null) => void;
}

/** The second step of a sign-in: a code of the authenticator app, or a backup code. */
export function CodeStep({ onDone, onOver }: CodeStepProps) {
  const [isBackup, setIsBackup] = useState(false);
  const [code, setCode] = useState("");
  const input = useRef<HTMLInputElement>(null);
  const giving = useMutation({
    mutationFn: () => giveCode(code),
    onSuccess: onDone,
    onError: (error) => (isSignInOver(error) ? onOver(signInWords(error)) : input.current?.select()),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!giving.isPending && !giving.isSuccess) giving.mutate();
  };
  const change = () => {
    setIsBackup(!isBackup);
    setCode("");
    giving.reset();
    input.current?.focus();
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        {giving.error && (
          <p role="alert" className={classes.error}>
            {signInWords(giving.error)}
          </p>
        )}
        <Text size="sm">
          {isBackup
            ? "Give one of the backup codes that you saved. It works once."
            : "Your password is right. Now give the code that your authenticator app shows."}
        </Text>
        <TextInput
          autoFocus
          ref={input}
          label={isBackup ? "Backup code" : "Code"}
          placeholder={isBackup ? "xxxx-xxxx-xxxx-xxxx" : undefined}
          name="code"
          autoComplete={isBackup ? "off" : "one-time-code"}
          inputMode={isBackup ? "text" : "numeric"}
          spellCheck={false}
          autoCapitalize="none"
          required
          withAsterisk={false}
          maxLength={64}
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
        />
        <Button type="submit" fullWidth loading={giving.isPending || giving.isSuccess}>
          Sign in
        </Button>
        <Group justify="space-between" gap="xs">
          <Anchor component="button" type="button" size="sm" onClick={change}>
            {isBackup ? "Use the authenticator app" : "Use a backup code"}
          </Anchor>
          <Anchor component="button" type="button" size="sm" onClick={() => onOver(null)}>
            Begin again
          </Anchor>
        </Group>
        {isBackup && (
          <Text size="xs" c="dimmed">
            No code left and no app? An admin can reset your two-factor.
          </Text>
        )}
      </Stack>
    </form>
  );
}
