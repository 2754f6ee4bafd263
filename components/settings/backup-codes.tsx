"use client";

import { Alert, Button, Code, Stack, Text } from "@mantine/core";
import { CopyAndSave } from "../copy-and-save.tsx";
import classes from "./second-factors.module.css";

/** Backup codes: shown this once. */
export function BackupCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const text = codes.join("\n");
  return (
    <Alert variant="default" role="status" title="Your backup codes">
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
