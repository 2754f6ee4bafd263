"use client";

import { Button, Group, Text } from "@mantine/core";
import { useId } from "react";
import type { BulkAction } from "#client/bulk.ts";
import { type EndpointsById, partsOfUrl } from "#client/endpoints.ts";
import { pathOfGroup } from "#client/failures.ts";
import { resultLabel } from "#client/result-label.ts";
import { explainOutcome } from "#contracts/explain-outcome.ts";
import type { FailureGroup, Failures } from "#contracts/failures.ts";
import { DayTrend } from "../chart/lazy-charts.tsx";
import { type Column, DataTable } from "../data-table.tsx";
import { Ago } from "../time.tsx";
import { useWorkspace } from "../workspace-context.tsx";
import classes from "./failures.module.css";

interface FailureTableProps {
  /** Absent while they load. */
  failures: Failures | undefined;
  endpoints: EndpointsById | undefined;
  onAct: (action: BulkAction, group: FailureGroup) => void;
}

/** The groups of failures, the one that waits longest first. */
export function FailureTable({ failures, endpoints, onAct }: FailureTableProps) {
  const { href, refuse } = useWorkspace();
  const why = useId();
  const refusal = refuse("deliveries:replay", "replay or dismiss");
  const nameOf = (group: FailureGroup) => {
    const { host, path } = partsOfUrl(endpoints?.get(group.endpoint_id)?.url ?? group.endpoint_id);
    return `${host}${path}`;
  };
  const columns: [Column<FailureGroup>, ...Column<FailureGroup>[]] = [
    { name: "Endpoint", cell: (group) => <EndpointCell group={group} endpoints={endpoints} /> },
    {
      name: "Failed",
      hide: "narrow",
      width: "4.5rem",
      align: "right",
      cell: (group) => group.count.toLocaleString("en"),
    },
    {
      name: "Oldest",
      width: "6rem",
      align: "right",
      hide: "narrow",
      cell: (group) => <Ago at={group.oldest_at} />,
    },
    {
      name: "Newest",
      width: "6rem",
      align: "right",
      hide: "medium",
      cell: (group) => <Ago at={group.newest_at} />,
    },
    {
      name: "7 days",
      width: "5.5rem",
      hide: "medium",
      cell: (group) => <DayTrend counts={group.per_day} days={failures?.days ?? []} />,
    },
    {
      name: "Seen to",
      width: "10.75rem",
      cell: (group) => (
        <Actions
          label={`${nameOf(group)}, ${resultLabel(group.failure_reason ?? "")}`}
          refusedBy={refusal && why}
          // Whose endpoint is gone cannot be sent anywhere.
          mayReplay={!endpoints || endpoints.has(group.endpoint_id)}
          onAct={(action) => onAct(action, group)}
        />
      ),
    },
  ];
  return (
    <>
      {refusal && (
        <Text id={why} size="xs" c="dimmed" mb="xs">
          {refusal}
        </Text>
      )}
      <div className={classes.table}>
        <DataTable
          caption="Failed deliveries by endpoint and reason, the group that waits longest first."
          columns={columns}
          rows={failures?.groups ?? []}
          keyOf={(group) => `${group.endpoint_id} ${group.failure_reason}`}
          hrefOf={(group) => href(pathOfGroup(group))}
          isLoading={!failures}
          skeletonRows={5}
        />
      </div>
    </>
  );
}

function EndpointCell({ group, endpoints }: { group: FailureGroup; endpoints: EndpointsById | undefined }) {
  const endpoint = endpoints?.get(group.endpoint_id);
  const { host, path } = partsOfUrl(endpoint?.url ?? group.endpoint_id);
  const reason = group.failure_reason;
  return (
    <span className={classes.cell}>
      <span>
        {host}
        <span className={classes.aside}>{path}</span>
        {endpoints && !endpoint && <span className={classes.aside}> (deleted)</span>}
      </span>
      <span className={classes.reason} title={explainOutcome(reason)}>
        <span className={classes.count}>{group.count.toLocaleString("en")} × </span>
        <strong>{reason === null ? "Unknown" : resultLabel(reason)}</strong>{" "}
        {group.failure_classes.join(", ")}
      </span>
    </span>
  );
}

interface ActionsProps {
  /** Which group, for those who hear the buttons. */
  label: string;
  /** Id of the words that say why nothing may be done; `null` when it may. */
  refusedBy: string | null;
  mayReplay: boolean;
  onAct: (action: BulkAction) => void;
}

function Actions({ label, refusedBy, mayReplay, onAct }: ActionsProps) {
  const refusal = (isRefused: boolean) => ({
    "data-disabled": isRefused || undefined,
    "aria-disabled": isRefused,
    "aria-describedby": refusedBy ?? undefined,
  });
  return (
    <Group gap={6} wrap="nowrap">
      <Button
        size="compact-sm"
        variant="default"
        aria-label={`Replay ${label}`}
        title={mayReplay ? undefined : "The endpoint has been deleted"}
        {...refusal(refusedBy !== null || !mayReplay)}
        onClick={() => refusedBy === null && mayReplay && onAct("replay")}
      >
        Replay
      </Button>
      <Button
        size="compact-sm"
        variant="default"
        aria-label={`Dismiss ${label}`}
        {...refusal(refusedBy !== null)}
        onClick={() => refusedBy === null && onAct("dismiss")}
      >
        Dismiss
      </Button>
    </Group>
  );
}
