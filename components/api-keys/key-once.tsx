"use client";

import { Button, Stack, Text } from "@mantine/core";
import type { ApiKey } from "#contracts/keys.ts";
import { SecretOnce } from "../secret-once.tsx";

/** A key that was just made. */
export function KeyOnce({ made, onClose }: { made: ApiKey & { key: string }; onClose: () => void }) {
  return (
    <Stack gap="md">
      <SecretOnce what={`API key “${made.name}”`} secret={made.key} fileName={`${made.id}.txt`} />
      <Text size="sm">
        A program sends it as <code>Authorization: Bearer …</code>.
      </Text>
      <Button onClick={onClose} style={{ alignSelf: "flex-end" }}>
        I have kept it
      </Button>
    </Stack>
  );
}
