"use client";

import { Skeleton } from "@mantine/core";
import { type EndpointState, lastResults, shortReason } from "#client/endpoint-state.ts";
import { partsOfUrl } from "#client/endpoints.ts";
import { counted } from "#client/format.ts";
import type { EndpointStats } from "#contracts/endpoint-stats.ts";
import type { Endpoint } from "#contracts/endpoints.ts";
import { Sparkline } from "../chart/lazy-charts.tsx";
import { type Column, DataTable } from "../data-table.tsx";
import { useWorkspace } from "../workspace-context.tsx";
import classes from "./endpoint-list.module.css";
import { ENDPOINT_STATE, EndpointStateMark } from "./endpoint-state-mark.tsx";
import { HourAgo } from "./hour-ago.tsx";

interface EndpointTableProps {
  rows: readonly Endpoint[];
  states: ReadonlyMap<string, EndpointState>;
  /** Of the last 24 hours, as far as it is known. */
  stats: ReadonlyMap<string, EndpointStats>;
  isLoading: boolean;
}

/** The endpoints with how they are doing. */
export function EndpointTable({ rows, states, stats, isLoading }: EndpointTableProps) {
  const { href } = useWorkspace();
  const stateFor = ({ id }: Endpoint) => states.get(id) ?? "enabled";
  const columns: [Column<Endpoint>, ...Column<Endpoint>[]] = [
    { name: "URL", cell: (row) => <Url endpoint={row} /> },
    {
      name: "Status",
      width: "clamp(6.5rem, 26vw, 13rem)",
      cell: (row) => <Status endpoint={row} state={stateFor(row)} />,
    },
    {
      name: "Event types",
      width: "18%",
      hide: "medium",
      cell: (row) => <span title={row.event_types.join(", ")}>{row.event_types.join(", ")}</span>,
    },
    {
      name: "Last 24 hours",
      width: "9.5rem",
      hide: "narrow",
      cell: (row) => <Health stats={stats.get(row.id)} />,
    },
    {
      name: "Last success",
      width: "7.5rem",
      hide: "medium",
      cell: (row) => <Last stats={stats.get(row.id)} which="success" />,
    },
    {
      name: "Last failure",
      width: "7.5rem",
      hide: "medium",
      cell: (row) => <Last stats={stats.get(row.id)} which="failure" />,
    },
  ];
  return (
    <DataTable
      caption="Webhook endpoints, newest first."
      columns={columns}
      rows={rows}
      keyOf={({ id }) => id}
      hrefOf={({ id }) => href(`/endpoints/${id}`)}
      labelOf={(row) => {
        const { host, path } = partsOfUrl(row.url);
        return `${host}${path}, ${ENDPOINT_STATE[stateFor(row)].label}`;
      }}
      isLoading={isLoading}
      skeletonRows={8}
    />
  );
}

function Url({ endpoint }: { endpoint: Endpoint }) {
  const { host, path } = partsOfUrl(endpoint.url);
  return (
    <span title={endpoint.description ? `${endpoint.url}\n${endpoint.description}` : endpoint.url}>
      {host}
      <span className={classes.path}>{path}</span>
    </span>
  );
}

function Status({ endpoint, state }: { endpoint: Endpoint; state: EndpointState }) {
  const reason = shortReason(endpoint);
  return (
    <>
      <EndpointStateMark state={state} />
      {reason && <span className={classes.reason}> {reason}</span>}
    </>
  );
}

function Health({ stats }: { stats: EndpointStats | undefined }) {
  if (!stats) return <Skeleton height={12} width="70%" />;
  const { attempts, failed } = stats.totals;
  const label =
    attempts === 0
      ? "Nothing was sent in the last 24 hours"
      : `${counted(attempts, "attempt")} in the last 24 hours, ${failed} failed`;
  return (
    <span title={label}>
      <Sparkline buckets={stats.buckets.slice(-24)} label={label} />
    </span>
  );
}

function Last({ stats, which }: { stats: EndpointStats | undefined; which: "success" | "failure" }) {
  const at = stats ? lastResults(stats)[which] : null;
  return at ? <HourAgo at={at} /> : <span className={classes.aside}>–</span>;
}
