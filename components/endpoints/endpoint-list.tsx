"use client";

import { Button } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useQueries, useQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useQueryStates } from "nuqs";
import { useMemo } from "react";
import { statsQuery } from "#client/endpoint.ts";
import { type EndpointFilters, endpointFilterParsers, matching } from "#client/endpoint-filters.ts";
import { type EndpointState, stateOf } from "#client/endpoint-state.ts";
import { ENDPOINTS_FRESH_MS, endpointsQuery } from "#client/endpoints.ts";
import { counted } from "#client/format.ts";
import { liveOptions, useLiveInterval } from "#client/live.ts";
import type { EndpointStats } from "#contracts/endpoint-stats.ts";
import { EmptyNote } from "../empty-note.tsx";
import { GuardedButton } from "../guarded-button.tsx";
import { PageHeader } from "../page-header.tsx";
import { ProblemAlert } from "../problem-alert.tsx";
import { useWorkspace } from "../workspace-context.tsx";
import { EndpointFilterBar } from "./endpoint-filter-bar.tsx";
import classes from "./endpoint-list.module.css";
import { EndpointTable } from "./endpoint-table.tsx";

/** The page of all endpoints of a tenant. */
export function EndpointList() {
  const { tenantId, href, refuse } = useWorkspace();
  const router = useRouter();
  const [filters, set] = useQueryStates(endpointFilterParsers, { history: "push" });
  const liveMs = useLiveInterval();
  const live = liveOptions(liveMs === null ? null : Math.max(liveMs, ENDPOINTS_FRESH_MS));
  const list = useQuery({ ...endpointsQuery(tenantId), ...live });
  const stats = useHealth(tenantId, list.data?.map(({ id }) => id) ?? [], live);
  const rows = list.data ?? [];
  const states = new Map<string, EndpointState>(rows.map((row) => [row.id, stateOf(row, stats.get(row.id))]));
  const shown = matching(rows, filters, (id) => states.get(id) ?? "enabled");
  const refusal = refuse("webhooks:write", "register endpoints");
  // Each letter typed is no step of the browser's history.
  const change = (some: Partial<EndpointFilters>) =>
    void set(some, { history: some.q === undefined ? "push" : "replace" });
  const clear = () => void set({ status: [], q: "" });
  return (
    <>
      <PageHeader
        title="Endpoints"
        action={
          <GuardedButton
            size="sm"
            leftSection={<IconPlus size={16} />}
            refusal={refusal}
            onClick={() => router.push(href("/endpoints/new"))}
          >
            New endpoint
          </GuardedButton>
        }
      >
        Each is a URL that events are sent to, and how they are sent.
      </PageHeader>
      <EndpointFilterBar filters={filters} onChange={change} onClear={clear} />
      {list.error && !list.data ? (
        <ProblemAlert error={list.error} onRetry={() => void list.refetch()} />
      ) : (
        <EndpointTable rows={shown} states={states} stats={stats} isLoading={list.isPending} />
      )}
      {list.data && shown.length === 0 && <ListEmpty isFiltered={rows.length > 0} onClear={clear} />}
      {shown.length > 0 && (
        <p className={classes.foot}>
          {shown.length === rows.length
            ? counted(rows.length, "endpoint")
            : `${shown.length} of ${counted(rows.length, "endpoint")}`}
        </p>
      )}
    </>
  );
}

/** How each endpoint did in the last 24 hours, as far as it is known yet. */
function useHealth(tenantId: string, ids: readonly string[], live: ReturnType<typeof liveOptions>) {
  const results = useQueries({
    queries: ids.map((id) => ({ ...statsQuery(tenantId, id, "24h"), ...live })),
  });
  return useMemo(
    () =>
      new Map<string, EndpointStats>(results.flatMap(({ data }) => (data ? [[data.endpoint_id, data]] : []))),
    [results],
  );
}

function ListEmpty({ isFiltered, onClear }: { isFiltered: boolean; onClear: () => void }) {
  if (!isFiltered)
    return (
      <EmptyNote title="No endpoints yet">
        Deliveries begin once there is somewhere to send events to. Register the URL of a receiver with “New
        endpoint”, or with <code>POST /api/v1/webhook-endpoints</code>.
      </EmptyNote>
    );
  return (
    <EmptyNote
      title="No endpoints match these filters"
      action={
        <Button size="xs" variant="default" onClick={onClear}>
          Clear filters
        </Button>
      }
    >
      The search looks at the URL, the description and the id.
    </EmptyNote>
  );
}
