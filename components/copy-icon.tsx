"use client";

import { ActionIcon, CopyButton } from "@mantine/core";
import { IconCheck, IconCopy } from "@tabler/icons-react";
import { useAnnounce } from "./announcer.tsx";

/** Copies `value`. `what` completes "Copy …" for people who hear the page. */
export function CopyIcon({ value, what }: { value: string; what: string }) {
  const announce = useAnnounce();
  return (
    <CopyButton value={value} timeout={1_500}>
      {({ copied, copy }) => (
        <ActionIcon
          size="sm"
          variant="subtle"
          color={copied ? "teal" : "gray"}
          aria-label={`Copy ${what}`}
          title={copied ? "Copied" : `Copy ${what}`}
          onClick={() => {
            copy();
            announce(`Copied ${what}`);
          }}
        >
          {copied ? <IconCheck size={14} /> : <IconCopy size={14} />}
        </ActionIcon>
      )}
    </CopyButton>
  );
}
