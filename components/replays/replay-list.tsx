"use client";

import { Anchor, Button } from "@mantine/core";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useQueryStates } from "nuqs";
import { useMemo } from "react";
import { byId, endpointsQuery, partsOfUrl } from "#client/endpoints.ts";
import { liveOptions, useLiveInterval } from "#client/live.ts";
import {
  isReplayFiltered,
  isUnderWay,
  kindOf,
  NO_REPLAY_FILTERS,
  REPLAY_STATUS_NAMES,
  replayFilterParsers,
  replaysQuery,
} from "#client/replays.ts";
import type { ReplayStatus } from "#contracts/replays.ts";
import { DataTable } from "../data-table.tsx";
import { EmptyNote } from "../empty-note.tsx";
import { FilterRow } from "../filter-row.tsx";
import { ListPage } from "../list-page.tsx";
import { PageHeader } from "../page-header.tsx";
import { PickMenu } from "../pick-menu.tsx";
import { useWorkspace } from "../workspace-context.tsx";
import { replayColumns } from "./replay-columns.tsx";
import { REPLAY_STATUS, ReplayStatusMark } from "./replay-status.tsx";

const SETTLED_EVERY_MS = 15_000;

/** The page of all replays of a tenant, with the progress of those under way. */
export function ReplayList() {
  const { tenantId, href } = useWorkspace();
  const liveMs = useLiveInterval();
  const [filters, set] = useQueryStates(replayFilterParsers, { history: "push" });
  const list = useInfiniteQuery({
    ...replaysQuery(tenantId, filters),
    ...liveOptions(liveMs),
    refetchInterval: ({ state }) => {
      if (liveMs === null) return false;
      const moves = state.data?.pages.some(({ items }) => items.some(isUnderWay));
      return moves ? liveMs : Math.max(liveMs, SETTLED_EVERY_MS);
    },
  });
  const { data: endpoints = [] } = useQuery(endpointsQuery(tenantId));
  const columns = useMemo(() => replayColumns(byId(endpoints)), [endpoints]);
  const clear = () => void set(NO_REPLAY_FILTERS);
  return (
    <>
      <PageHeader title="Replays">
        Each sends many deliveries of one endpoint again, bit by bit, behind fresh work.
      </PageHeader>
      <FilterRow name="Filter replays" isFiltered={isReplayFiltered(filters)} onClear={clear}>
        <PickMenu
          label="Status"
          options={STATUS_OPTIONS}
          picked={filters.status ? [filters.status] : []}
          onPick={([status]) => void set({ status: (status as ReplayStatus | undefined) ?? null })}
          single
        />
        <PickMenu
          label="Endpoint"
          options={endpoints.map(({ id, url }) => {
            const { host, path } = partsOfUrl(url);
            return { value: id, label: host + path, text: host + path };
          })}
          picked={filters.endpoint ? [filters.endpoint] : []}
          onPick={([endpoint]) => void set({ endpoint: endpoint ?? null })}
          single
          searchable
        />
      </FilterRow>
      <ListPage
        list={list}
        nouns={["replay", "replays"]}
        empty={<NoReplays isFiltered={isReplayFiltered(filters)} onClear={clear} />}
      >
        {(rows, isLoading) => (
          <DataTable
            caption="Replays, newest first."
            columns={columns}
            rows={rows}
            keyOf={({ id }) => id}
            hrefOf={({ id }) => href(`/replays/${id}`)}
            labelOf={(replay) => `${kindOf(replay)}, ${REPLAY_STATUS[replay.status].label}`}
            isLoading={isLoading}
          />
        )}
      </ListPage>
    </>
  );
}

const STATUS_OPTIONS = REPLAY_STATUS_NAMES.map((status) => ({
  value: status,
  label: <ReplayStatusMark status={status} />,
  text: REPLAY_STATUS[status].label,
}));

function NoReplays({ isFiltered, onClear }: { isFiltered: boolean; onClear: () => void }) {
  const { href } = useWorkspace();
  if (isFiltered)
    return (
      <EmptyNote
        title="No replays match these filters"
        action={
          <Button size="xs" variant="default" onClick={onClear}>
            Clear filters
          </Button>
        }
      >
        Replays are kept as long as the deliveries that they are of.
      </EmptyNote>
    );
  return (
    <EmptyNote title="No replays yet">
      One begins where deliveries are chosen to be sent again: from the{" "}
      <Anchor component={Link} href={href("/failures")} fz="inherit" underline="always">
        terminal failures
      </Anchor>{" "}
      or the{" "}
      <Anchor component={Link} href={href("/deliveries?status=failed")} fz="inherit" underline="always">
        failed deliveries
      </Anchor>
      .
    </EmptyNote>
  );
}
