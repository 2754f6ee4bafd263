"use client";

import { Alert, Button, Code, Stack, Text } from "@mantine/core";
import { useEffect, useRef } from "react";
import { CopyAndSave } from "../copy-and-save.tsx";
import classes from "./second-factors.module.css";

/** Backup codes: shown this once. */
export function BackupCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const text = codes.join("\n");
  const alert = useRef<HTMLDivElement>(null);
  // They take the place of the form that the focus was in.
  useEffect(() => alert.current?.focus(), []);
  return (
    <Alert ref={alert} tabIndex={-1} variant="default" role="status" title="Your backup codes">
      <Stack gap="sm" align="flex-start">
        <Text size="sm">
          Each lets you in once when your app is not at hand. They are shown this once, so keep them where you
          keep passwords.
        </Text>
        <Code block className={classes.codes} data-testid="backup-codes">
          {text}
        </Code>
        <CopyAndSave what="backup codes" value={text} fileName="posthorn-backup-codes.txt" />
        <Button size="xs" variant="default" onClick={onDone}>
          I have saved them
        </Button>
      </Stack>
    </Alert>
  );
}
