"use client";

import { Alert, Button, Group, Stack, Text } from "@mantine/core";
import { IconGitMerge } from "@tabler/icons-react";
import type { ReadEventType } from "#client/event-types.ts";
import { Moment } from "../time.tsx";

interface ConflictNoteProps {
  /** What is there now; `null` when it was deleted. */
  now: ReadEventType | null;
  /** Whether what is there was unknown before: the type was to be a new one. */
  isNew: boolean;
  onTakeTheirs: (now: ReadEventType) => void;
  onOverwrite: () => void;
}

/** Says that somebody else was faster, and leaves the choice: nothing was saved, and nothing that was typed is lost. */
export function ConflictNote({ now, isNew, onTakeTheirs, onOverwrite }: ConflictNoteProps) {
  const title = isNew
    ? "There is a type of this name"
    : now
      ? "Somebody else has changed it"
      : "Somebody else has deleted it";
  return (
    <Alert role="alert" variant="default" icon={<IconGitMerge size={18} />} title={title} w="100%">
      <Stack gap="xs" align="flex-start">
        <Text size="sm">
          Nothing was saved, and what you wrote is as it was.{" "}
          {now?.type.updated_at && (
            <>
              Theirs is of <Moment at={now.type.updated_at} />.
            </>
          )}
        </Text>
        <Group gap="xs">
          {now && (
            <Button size="xs" variant="default" onClick={() => onTakeTheirs(now)}>
              Discard mine, show theirs
            </Button>
          )}
          <Button size="xs" variant="default" onClick={onOverwrite}>
            {now ? "Replace theirs with mine" : "Make it anew with mine"}
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}
