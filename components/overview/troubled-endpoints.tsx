"use client";

import { Title } from "@mantine/core";
import { sendingOf } from "#client/endpoint-state.ts";
import { type EndpointsById, partsOfUrl } from "#client/endpoints.ts";
import { percent, RANGES, type Range } from "#client/tenant-stats.ts";
import type { TenantStats } from "#contracts/tenant-stats.ts";
import { type Column, DataTable } from "../data-table.tsx";
import { ENDPOINT_STATE } from "../endpoints/endpoint-state-mark.tsx";
import { StatusMark, type Tone } from "../status.tsx";
import { useWorkspace } from "../workspace-context.tsx";
import classes from "./overview.module.css";

type Row = TenantStats["failing_endpoints"][number];

const NOW: Record<ReturnType<typeof sendingOf>, { label: string; tone: Tone }> = {
  paused: ENDPOINT_STATE.paused,
  disabled: ENDPOINT_STATE.disabled,
  closed: { label: "Sending", tone: "idle" },
  open: { label: "Stopped", tone: "bad" },
  half_open: { label: "Probing", tone: "wait" },
};

interface TroubledEndpointsProps {
  /** Absent while they load. */
  stats: TenantStats | undefined;
  endpoints: EndpointsById;
  range: Range;
}

/** The endpoints that fail most, with whether anything is sent to them now. */
export function TroubledEndpoints({ stats, endpoints, range }: TroubledEndpointsProps) {
  const { href } = useWorkspace();
  const urlOf = (row: Row) => endpoints.get(row.endpoint_id)?.url ?? row.endpoint_id;
  const columns: [Column<Row>, ...Column<Row>[]] = [
    {
      name: "Endpoint",
      cell: (row) => {
        const { host, path } = partsOfUrl(urlOf(row));
        return (
          <span title={urlOf(row)}>
            {host}
            <span className={classes.under}>{path}</span>
          </span>
        );
      },
    },
    {
      name: "Failed",
      width: "6rem",
      align: "right",
      cell: (row) => row.failed.toLocaleString("en"),
    },
    {
      name: "Of attempts",
      width: "6.5rem",
      align: "right",
      hide: "narrow",
      cell: (row) => percent(row.attempts === 0 ? null : row.failed / row.attempts),
    },
    {
      name: "Now",
      width: "7rem",
      cell: (row) => <StatusMark {...NOW[sendingOf(endpoints.get(row.endpoint_id), row.circuit_breaker)]} />,
    },
  ];
  return (
    <section>
      <Title order={2}>Endpoints in trouble</Title>
      <DataTable
        caption={`Endpoints with failed attempts in ${RANGES[range].long}, those with most first.`}
        columns={columns}
        rows={stats?.failing_endpoints ?? []}
        keyOf={(row) => row.endpoint_id}
        hrefOf={(row) => href(`/endpoints/${row.endpoint_id}`)}
        isLoading={!stats}
        skeletonRows={4}
      />
      {stats?.failing_endpoints.length === 0 && (
        <p className={classes.quiet}>None: no attempt failed in {RANGES[range].long}.</p>
      )}
    </section>
  );
}
