"use client";

import { Anchor, Autocomplete, Button, Group, Modal, Stack, Text } from "@mantine/core";
import Link from "next/link";
import { type FormEvent, useEffect, useState } from "react";
import { milliseconds } from "#client/format.ts";
import { useTestEvent } from "#client/use-test-event.ts";
import type { Attempt } from "#contracts/deliveries.ts";
import type { Endpoint } from "#contracts/endpoints.ts";
import { BUILT_IN_TYPES, EventType } from "#contracts/events.ts";
import { explainOutcome } from "#contracts/explain-outcome.ts";
import { useAnnounce } from "../announcer.tsx";
import { ProblemAlert } from "../problem-alert.tsx";
import { OUTCOME, StatusMark } from "../status.tsx";
import { useWorkspace } from "../workspace-context.tsx";
import classes from "./endpoint-page.module.css";

/** Sends one event to this endpoint alone, and shows what it answers. */
export function TestEventDialog({ endpoint, onClose }: { endpoint: Endpoint; onClose: () => void }) {
  const { tenantId, href } = useWorkspace();
  const [type, setType] = useState("Ping");
  const [fault, setFault] = useState<string | null>(null);
  const { send, isSending, error, deliveryId, result } = useTestEvent(tenantId, endpoint.id);
  const own = endpoint.event_types.filter((each) => !each.endsWith("*"));
  const offered = [...new Set([...own, ...BUILT_IN_TYPES])];
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const checked = EventType.safeParse(type.trim());
    setFault(checked.success ? null : `This ${checked.error.issues[0]?.message ?? "is no event type"}.`);
    if (checked.success && !isSending) send(checked.data);
  };
  return (
    <Modal opened onClose={onClose} title="Send a test event" centered>
      <form onSubmit={submit}>
        <Stack gap="md">
          <Text size="sm">
            One event goes to this endpoint alone, whatever its types and its filter. It carries the example
            of its type, or nothing.
          </Text>
          <Autocomplete
            data-autofocus
            // Open, the list would lie over the button that sends.
            openOnFocus={false}
            label="Event type"
            data={offered}
            limit={8}
            comboboxProps={{ withinPortal: true }}
            value={type}
            error={fault}
            onChange={setType}
          />
          {deliveryId && <TestResult result={result} />}
          {error && <ProblemAlert error={error} />}
          <Group justify="space-between" gap="xs">
            {deliveryId ? (
              <Anchor component={Link} size="sm" href={href(`/deliveries/${deliveryId}`)}>
                Open the delivery
              </Anchor>
            ) : (
              <span />
            )}
            <Group gap="xs">
              <Button variant="default" onClick={onClose}>
                Close
              </Button>
              <Button type="submit" loading={isSending}>
                {deliveryId ? "Send another" : "Send"}
              </Button>
            </Group>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

function TestResult({ result }: { result: Attempt | null }) {
  const announce = useAnnounce();
  const words = result ? explainOutcome(result.error_code) : "The test event is on its way.";
  useEffect(() => announce(words), [announce, words]);
  return (
    <div className={classes.result} data-testid="test-result">
      {result ? (
        <StatusMark {...OUTCOME[result.outcome]} />
      ) : (
        <StatusMark label="Sending" tone="busy" pulses />
      )}
      <span>
        {words}
        {result?.response && ` Status ${result.response.status}.`}
        {result?.duration_ms != null && ` It took ${milliseconds(result.duration_ms)}.`}
      </span>
    </div>
  );
}
