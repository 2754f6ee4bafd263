"use client";

import { Button, CopyButton, Group } from "@mantine/core";
import { IconCheck, IconCopy, IconDownload } from "@tabler/icons-react";
import { downloadText } from "#client/download.ts";
import { useAnnounce } from "./announcer.tsx";

interface CopyAndSaveProps {
  /** What it is, such as `signing secret v2`: for who hears what was done. */
  what: string;
  value: string;
  fileName: string;
  /** What the button says that copies. */
  copyLabel?: string;
}

/** The two ways to take along what is shown once. */
export function CopyAndSave({ what, value, fileName, copyLabel = "Copy" }: CopyAndSaveProps) {
  const announce = useAnnounce();
  const save = () => {
    downloadText(fileName, `${value}\n`, "text/plain");
    announce(`Saved as ${fileName}`);
  };
  return (
    <Group gap="xs">
      <CopyButton value={value} timeout={2_000}>
        {({ copied, copy }) => (
          <Button
            size="xs"
            leftSection={copied ? <IconCheck size={14} /> : <IconCopy size={14} />}
            onClick={() => {
              copy();
              announce(`Copied the ${what}`);
            }}
          >
            {copied ? "Copied" : copyLabel}
          </Button>
        )}
      </CopyButton>
      <Button size="xs" variant="default" leftSection={<IconDownload size={14} />} onClick={save}>
        Download
      </Button>
    </Group>
  );
}
