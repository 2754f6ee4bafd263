"use client";

import { Button, Group, Stack, Text } from "@mantine/core";
import { embedSnippet } from "#client/portal-links.ts";
import type { NewlyMadeLink } from "#contracts/portal-links.ts";
import { CopyIcon } from "../copy-icon.tsx";
import { SecretOnce } from "../secret-once.tsx";
import { Moment } from "../time.tsx";
import classes from "./portal-links.module.css";

/** A link that was just made, and how to embed it. */
export function LinkOnce({ made, onClose }: { made: NewlyMadeLink; onClose: () => void }) {
  const snippet = embedSnippet(made.url, made.theme.name ?? "Webhooks");
  return (
    <Stack gap="md">
      <SecretOnce
        what={`portal link for “${made.name}”`}
        secret={made.url}
        fileName={`${made.id}.txt`}
        advice="Whoever has it can use it: send it to nobody else."
      />
      <Text size="sm">
        It works until <Moment at={made.expires_at} />, or until somebody revokes it.
      </Text>
      {made.frame_ancestors.length > 0 ? (
        <div>
          <Group justify="space-between" gap="xs" mb={6}>
            <Text size="sm" fw={600}>
              To show it in a page of {made.frame_ancestors.join(", ")}
            </Text>
            <CopyIcon value={snippet} what="HTML that embeds it" />
          </Group>
          <pre className={classes.code} data-testid="embed">
            {snippet}
          </pre>
        </div>
      ) : (
        <Text size="sm" c="dimmed">
          It opens in a tab of its own. No page may show it in a frame, since no origin was named.
        </Text>
      )}
      <Button onClick={onClose} style={{ alignSelf: "flex-end" }}>
        I have kept it
      </Button>
    </Stack>
  );
}
