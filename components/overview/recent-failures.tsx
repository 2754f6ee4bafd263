"use client";

import { Anchor, Group, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { type EndpointsById, partsOfUrl } from "#client/endpoints.ts";
import { liveOptions } from "#client/live.ts";
import { lastResult } from "#client/result-label.ts";
import { recentFailuresQuery } from "#client/tenant-stats.ts";
import type { Delivery } from "#contracts/deliveries.ts";
import { type Column, DataTable } from "../data-table.tsx";
import { ProblemAlert } from "../problem-alert.tsx";
import { Ago } from "../time.tsx";
import { useWorkspace } from "../workspace-context.tsx";
import classes from "./overview.module.css";

interface RecentFailuresProps {
  endpoints: EndpointsById;
  everyMs: number | null;
}

/** The last deliveries that were given up. */
export function RecentFailures({ endpoints, everyMs }: RecentFailuresProps) {
  const { tenantId, href } = useWorkspace();
  const failures = useQuery({ ...recentFailuresQuery(tenantId), ...liveOptions(everyMs) });
  const columns: [Column<Delivery>, ...Column<Delivery>[]] = [
    { name: "Event type", cell: (row) => row.event_type },
    {
      name: "Endpoint",
      hide: "narrow",
      cell: (row) => partsOfUrl(endpoints.get(row.endpoint_id)?.url ?? row.endpoint_id).host,
    },
    { name: "Last result", width: "8.5rem", cell: (row) => lastResult(row) ?? "–" },
    { name: "Created", width: "6rem", align: "right", cell: (row) => <Ago at={row.created_at} /> },
  ];
  return (
    <section>
      <Group justify="space-between">
        <Title order={2}>Recent terminal failures</Title>
        <Anchor component={Link} size="sm" href={href("/failures")}>
          All, by reason
        </Anchor>
      </Group>
      {failures.error && !failures.data ? (
        <ProblemAlert error={failures.error} onRetry={() => void failures.refetch()} />
      ) : (
        <DataTable
          caption="Deliveries that have failed for good, the newest first."
          columns={columns}
          rows={failures.data?.items ?? []}
          keyOf={(row) => row.id}
          hrefOf={(row) => href(`/deliveries/${row.id}`)}
          isLoading={failures.isPending}
          skeletonRows={4}
        />
      )}
      {failures.data?.items.length === 0 && (
        <p className={classes.quiet}>None: every delivery has arrived, or is still being tried.</p>
      )}
    </section>
  );
}
