"use client";

import { Button, Group } from "@mantine/core";
import { EmptyNote } from "./empty-note.tsx";

/** A page whose own code has failed. */
export function PageError({ onRetry }: { onRetry: () => void }) {
  return (
    <EmptyNote
      title="This page has stopped working"
      level={1}
      action={
        <Group gap="xs">
          <Button size="xs" onClick={onRetry}>
            Try again
          </Button>
          <Button size="xs" variant="default" onClick={() => window.location.reload()}>
            Reload
          </Button>
        </Group>
      }
    >
      The fault is in the page itself; nothing was changed on the server.
    </EmptyNote>
  );
}
