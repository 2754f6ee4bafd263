"use client";

import { Anchor, Button, Code, Group, Stack, Text, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useRef, useState } from "react";
import { fieldProblem, isToldByFields } from "#client/field-problem.ts";
import { finishTwoFactor } from "#client/second-factors.ts";
import type { TwoFactorSetUp as SetUp } from "#contracts/second-factors.ts";
import { CopyIcon } from "../copy-icon.tsx";
import { ProblemAlert } from "../problem-alert.tsx";
import { QrCode } from "./qr-code.tsx";
import classes from "./second-factors.module.css";

interface TwoFactorSetUpProps {
  setUp: SetUp;
  /** With the backup codes. */
  onDone: (codes: readonly string[]) => void;
  onCancel: () => void;
}

/** Hands the secret over to an authenticator app, and asks for its first code. */
export function TwoFactorSetUp({ setUp, onDone, onCancel }: TwoFactorSetUpProps) {
  const [code, setCode] = useState("");
  const input = useRef<HTMLInputElement>(null);
  const finishing = useMutation({
    mutationFn: () => finishTwoFactor(code.replaceAll(/\s/g, "")),
    gcTime: 0,
    onSuccess: ({ backup_codes: codes }) => onDone(codes),
    onError: () => input.current?.select(),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!finishing.isPending) finishing.mutate();
  };
  const groups = setUp.secret.match(/.{1,4}/g)?.join(" ") ?? "";
  return (
    <div className={classes.setUp}>
      <div className={classes.qr}>
        <QrCode
          text={setUp.otpauth_uri}
          label="QR code for your authenticator app; the key beside it is the same"
        />
      </div>
      <form onSubmit={submit} className={classes.steps}>
        <Stack gap="sm">
          <Text size="sm">
            Scan this with an authenticator app,{" "}
            <Anchor href={setUp.otpauth_uri} underline="always">
              open it in an app on this device
            </Anchor>
            , or type the key in:
          </Text>
          <Group gap={6} wrap="nowrap">
            <Code className={classes.key} data-testid="two-factor-key">
              {groups}
            </Code>
            <CopyIcon value={setUp.secret} what="key" />
          </Group>
          <TextInput
            ref={input}
            autoFocus
            label="Code that the app shows now"
            description="Six digits. Two-factor is on once one was right."
            name="code"
            autoComplete="one-time-code"
            inputMode="numeric"
            maxLength={9}
            maw={260}
            value={code}
            error={fieldProblem(finishing.error, "code")}
            onChange={(event) => setCode(event.currentTarget.value)}
          />
          {finishing.error && !isToldByFields(finishing.error, ["code"]) && (
            <ProblemAlert error={finishing.error} />
          )}
          <Group gap="xs">
            <Button type="submit" loading={finishing.isPending} disabled={code === ""}>
              Turn on
            </Button>
            <Button variant="default" onClick={onCancel}>
              Cancel
            </Button>
          </Group>
        </Stack>
      </form>
    </div>
  );
}
