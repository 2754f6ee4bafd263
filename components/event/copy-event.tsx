"use client";

import { Button, CopyButton } from "@mantine/core";
import { IconCheck, IconTerminal2 } from "@tabler/icons-react";
import { curlOfEvent } from "#client/curl.ts";
import { useAnnounce } from "../announcer.tsx";

/** Copies the command that publishes such an event again, as a new one. */
export function CopyEvent({ text }: { text: string }) {
  const announce = useAnnounce();
  return (
    <CopyButton value={curlOfEvent(text, `${window.location.origin}/api/v1`)} timeout={1_500}>
      {({ copied, copy }) => (
        <Button
          size="sm"
          variant="default"
          leftSection={copied ? <IconCheck size={16} /> : <IconTerminal2 size={16} />}
          title="Publishes a new event with the same type and data; it takes an API key from POSTHORN_API_KEY"
          onClick={() => {
            copy();
            announce("Copied a curl command that publishes such an event");
          }}
        >
          {copied ? "Copied" : "Copy as curl"}
        </Button>
      )}
    </CopyButton>
  );
}
