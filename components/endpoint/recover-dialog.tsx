"use client";

import { Anchor, Button, Group, Modal, NativeSelect, Stack, Text, TextInput } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useState } from "react";
import { uuidv7 } from "uuidv7";
import { countRecovery, recover } from "#client/endpoint.ts";
import { counted } from "#client/format.ts";
import { hoursBefore, readSince, SINCE_CHOICES } from "#client/since.ts";
import type { Endpoint } from "#contracts/endpoints.ts";
import { useAnnounce } from "../announcer.tsx";
import { ProblemAlert } from "../problem-alert.tsx";
import { useWorkspace } from "../workspace-context.tsx";

const OWN = "own";

interface RecoverDialogProps {
  endpoint: Endpoint;
  /** Whether events without a delivery are meant too. */
  includeMissing: boolean;
  onClose: () => void;
}

/** Sends again what has not arrived since a moment, after saying how much that is. */
export function RecoverDialog({ endpoint, includeMissing, onClose }: RecoverDialogProps) {
  const { tenantId, href } = useWorkspace();
  const announce = useAnnounce();
  const [openedMs] = useState(Date.now);
  const [choice, choose] = useState<string>("24");
  const [typed, type] = useState("");
  const since = choice === OWN ? readSince(typed, openedMs) : { at: hoursBefore(choice, openedMs) };
  const at = "at" in since ? since.at : null;
  const count = useQuery({
    queryKey: ["endpoints", "recovery", tenantId, endpoint.id, at, includeMissing],
    queryFn: () => countRecovery(tenantId, endpoint.id, { since: at ?? "", includeMissing }),
    enabled: at !== null,
    gcTime: 0,
  });
  const [key] = useState(uuidv7);
  const running = useMutation({
    mutationFn: (from: string) =>
      recover(tenantId, endpoint.id, { since: from, includeMissing, idempotencyKey: `${key}.${from}` }),
    onSuccess: () => announce("The replay has begun"),
  });
  return (
    <Modal
      opened
      onClose={onClose}
      title={includeMissing ? "Replay what is missing" : "Recover what failed"}
      centered
    >
      <Stack gap="md">
        <Text size="sm">
          {includeMissing
            ? "Sends everything that has not arrived, and also events of its types from when it was disabled or did not exist yet."
            : "Sends again what failed or was cancelled. What was dismissed is left alone."}{" "}
          It goes behind fresh deliveries, bit by bit.
        </Text>
        <NativeSelect
          label="Since"
          data={[...SINCE_CHOICES, { value: OWN, label: "a moment of your choice" }]}
          value={choice}
          onChange={(event) => choose(event.currentTarget.value)}
        />
        {choice === OWN && (
          <TextInput
            type="datetime-local"
            label="Since, in UTC"
            value={typed}
            error={typed !== "" && "fault" in since ? since.fault : null}
            onChange={(event) => type(event.currentTarget.value)}
          />
        )}
        <Text size="sm" fw={600} role="status" data-testid="recovery-count">
          {countInWords(count.data, { isAsked: at !== null, isCounting: count.isFetching })}
        </Text>
        {(count.error ?? running.error) && <ProblemAlert error={count.error ?? running.error} />}
        {running.data !== undefined ? (
          <Group justify="space-between">
            <Anchor component={Link} size="sm" href={href(`/replays/${running.data}`)}>
              Follow the replay
            </Anchor>
            <Button variant="default" onClick={onClose}>
              Close
            </Button>
          </Group>
        ) : (
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button
              disabled={at === null || !count.data}
              loading={running.isPending}
              onClick={() => at && running.mutate(at)}
            >
              {count.data ? `Send ${counted(count.data, "delivery", "deliveries")}` : "Send"}
            </Button>
          </Group>
        )}
      </Stack>
    </Modal>
  );
}

function countInWords(
  total: number | undefined,
  { isAsked, isCounting }: { isAsked: boolean; isCounting: boolean },
) {
  if (!isAsked) return "Choose since when.";
  if (total === undefined) return isCounting ? "Counting …" : "It could not be counted.";
  if (total === 0) return "There is nothing to send since then.";
  return `${counted(total, "delivery", "deliveries")} would be sent.`;
}
