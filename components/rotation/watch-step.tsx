"use client";

import { Text } from "@mantine/core";
import { type Signed, verdictOf } from "#client/rotation.ts";
import { useSignedSince } from "#client/use-rotation.ts";
import type { EndpointSecret } from "#contracts/endpoint-secrets.ts";
import { type Column, DataTable } from "../data-table.tsx";
import noteClasses from "../delivery/next-step-note.module.css";
import { ProblemAlert } from "../problem-alert.tsx";
import { OUTCOME, StatusMark } from "../status.tsx";
import { Ago } from "../time.tsx";
import { useWorkspace } from "../workspace-context.tsx";
import classes from "./rotation.module.css";

interface WatchStepProps {
  endpointId: string;
  /** The key that signs, since it was made. */
  current: EndpointSecret;
}

/** Which key each delivery since the switch was signed with, and whether the receiver took it. */
export function WatchStep({ endpointId, current }: WatchStepProps) {
  const { tenantId, href } = useWorkspace();
  const { signed, error, isLoading, hasMore } = useSignedSince(tenantId, endpointId, current.created_at);
  const verdict = verdictOf(signed, current.kid);
  return (
    <>
      <div className={noteClasses.note} data-tone={verdict.tone} role="status">
        <p className={noteClasses.headline}>{verdict.words}</p>
      </div>
      {error && <ProblemAlert error={error} />}
      <DataTable
        caption="Deliveries since the switch, newest first."
        columns={COLUMNS}
        rows={signed}
        keyOf={({ delivery }) => delivery.id}
        hrefOf={({ delivery }) => href(`/deliveries/${delivery.id}`)}
        labelOf={(row) => `${row.delivery.event_type}, signed with ${row.keyId ?? "an unknown key"}`}
        isLoading={isLoading}
        skeletonRows={3}
      />
      {hasMore && (
        <Text size="xs" c="dimmed">
          The newest {signed.length} of those made since the switch.
        </Text>
      )}
    </>
  );
}

const COLUMNS: [Column<Signed>, ...Column<Signed>[]] = [
  { name: "Event type", cell: ({ delivery }) => delivery.event_type },
  {
    name: "Signed with",
    width: "clamp(5rem, 20vw, 8.5rem)",
    cell: ({ keyId, signatures }) => (
      <>
        <strong>{keyId ?? "–"}</strong>
        <span className={classes.aside}>{signatures > 1 && ` of ${signatures} keys`}</span>
      </>
    ),
  },
  {
    name: "Result",
    width: "clamp(6.25rem, 26vw, 9rem)",
    cell: ({ attempt, isDisbelieved }) => (
      <>
        <StatusMark {...(isDisbelieved ? { label: "Refused", tone: "bad" } : OUTCOME[attempt.outcome])} />
        <span className={classes.aside}> {attempt.response?.status}</span>
      </>
    ),
  },
  {
    name: "Sent",
    width: "6rem",
    align: "right",
    hide: "narrow",
    cell: (row) => <Ago at={row.attempt.started_at} />,
  },
];
