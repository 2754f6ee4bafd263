"use client";

import { Text } from "@mantine/core";
import { CopyAndSave } from "./copy-and-save.tsx";
import classes from "./secret-once.module.css";

interface SecretOnceProps {
  /** What it is, such as `signing secret v2`. */
  what: string;
  secret: string;
  fileName: string;
  /** Where it belongs; else where the secrets of a receiver do. */
  advice?: string;
}

const OF_A_RECEIVER = "Keep it where your receiver reads its secrets, and nowhere else.";

/** A secret, shown this once, to copy or to save. */
export function SecretOnce({ what, secret, fileName, advice = OF_A_RECEIVER }: SecretOnceProps) {
  return (
    <section className={classes.box} aria-label={`The new ${what}`}>
      <Text size="sm" fw={600}>
        The new {what}
      </Text>
      <code className={classes.secret} data-testid="secret">
        {secret}
      </code>
      <CopyAndSave what={what} value={secret} fileName={fileName} />
      <Text size="xs" c="dimmed">
        It is shown this once: neither this page nor anybody else can show it again. {advice}
      </Text>
    </section>
  );
}
