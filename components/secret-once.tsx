"use client";

import { Button, CopyButton, Group, Text } from "@mantine/core";
import { IconCheck, IconCopy, IconDownload } from "@tabler/icons-react";
import { useAnnounce } from "./announcer.tsx";
import classes from "./secret-once.module.css";

interface SecretOnceProps {
  /** What it is, such as `signing secret v2`. */
  what: string;
  secret: string;
  fileName: string;
}

/** A secret, shown this once, to copy or to save. */
export function SecretOnce({ what, secret, fileName }: SecretOnceProps) {
  const announce = useAnnounce();
  const save = () => {
    const url = URL.createObjectURL(new Blob([`${secret}\n`], { type: "text/plain" }));
    const link = document.createElement("a");
    link.href = url;
    link.download = fileName;
    link.click();
    URL.revokeObjectURL(url);
    announce(`Saved as ${fileName}`);
  };
  return (
    <section className={classes.box} aria-label={`The new ${what}`}>
      <Text size="sm" fw={600}>
        The new {what}
      </Text>
      <code className={classes.secret} data-testid="secret">
        {secret}
      </code>
      <Group gap="xs">
        <CopyButton value={secret} timeout={2_000}>
          {({ copied, copy }) => (
            <Button
              size="xs"
              leftSection={copied ? <IconCheck size={14} /> : <IconCopy size={14} />}
              onClick={() => {
                copy();
                announce(`Copied the ${what}`);
              }}
            >
              {copied ? "Copied" : "Copy"}
            </Button>
          )}
        </CopyButton>
        <Button size="xs" variant="default" leftSection={<IconDownload size={14} />} onClick={save}>
          Download
        </Button>
      </Group>
      <Text size="xs" c="dimmed">
        It is shown this once: neither this page nor anybody else can show it again. Keep it where your
        receiver reads its secrets, and nowhere else.
      </Text>
    </section>
  );
}
