"use client";

import { Alert, Button, Code, Group, Stack, Text } from "@mantine/core";
import { IconAlertTriangle, IconRefresh } from "@tabler/icons-react";
import { ApiProblem } from "#sdk/api-problem.ts";
import { CopyIcon } from "./copy-icon.tsx";
import classes from "./problem-alert.module.css";

/** What went wrong, in the server's words, with the request id for support and a way to try again. */
export function ProblemAlert({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const known = error instanceof ApiProblem ? error : null;
  const waitMs = known?.retryAfterMs ?? null;
  return (
    <Alert
      role="alert"
      variant="default"
      classNames={classes}
      icon={<IconAlertTriangle size={18} />}
      title={known?.title ?? "Something went wrong on this page"}
    >
      <Stack gap="xs" align="flex-start">
        <Text size="sm">
          {known?.detail ?? "Reload the page. If it happens again, tell us what you did."}
        </Text>
        {waitMs !== null && <Text size="sm">Wait {Math.ceil(waitMs / 1000)} s before you try again.</Text>}
        {known?.requestId && (
          <Group gap={6} wrap="nowrap">
            <Text size="xs" c="dimmed">
              Request
            </Text>
            <Code style={{ overflowWrap: "anywhere" }}>{known.requestId}</Code>
            <CopyIcon value={known.requestId} what="request id" />
          </Group>
        )}
        {onRetry && (
          <Button size="xs" variant="default" leftSection={<IconRefresh size={14} />} onClick={onRetry}>
            Try again
          </Button>
        )}
      </Stack>
    </Alert>
  );
}
