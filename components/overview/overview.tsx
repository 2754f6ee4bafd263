"use client";

import { SegmentedControl, Skeleton, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useQueryState } from "nuqs";
import { useMemo } from "react";
import { byId, ENDPOINTS_FRESH_MS, endpointsQuery } from "#client/endpoints.ts";
import { liveOptions, useLiveInterval } from "#client/live.ts";
import { barsOf, RANGE_NAMES, RANGES, type Range, rangeParser, statsQuery } from "#client/tenant-stats.ts";
import type { TenantStats } from "#contracts/tenant-stats.ts";
import { TimeBars } from "../chart/lazy-charts.tsx";
import { EmptyNote } from "../empty-note.tsx";
import { PageHeader } from "../page-header.tsx";
import { ProblemAlert } from "../problem-alert.tsx";
import { useWorkspace } from "../workspace-context.tsx";
import { Figures } from "./figures.tsx";
import classes from "./overview.module.css";
import { RecentFailures } from "./recent-failures.tsx";
import { TroubledEndpoints } from "./troubled-endpoints.tsx";

/** Sums cost more than a page of a list. */
const LEAST_EVERY_MS = 10_000;

/** How deliveries fare at this moment, with the way to the lists behind each number. */
export function Overview() {
  const { tenantId } = useWorkspace();
  const [range, setRange] = useQueryState("range", rangeParser);
  const liveMs = useLiveInterval();
  const everyMs = liveMs === null ? null : Math.max(liveMs, LEAST_EVERY_MS);
  const stats = useQuery({ ...statsQuery(tenantId, range), ...liveOptions(everyMs) });
  const { data: endpoints } = useQuery({
    ...endpointsQuery(tenantId),
    // Some may be disabled meanwhile, by their own answers.
    refetchInterval: liveMs !== null && ENDPOINTS_FRESH_MS,
  });
  const endpointsById = useMemo(() => byId(endpoints ?? []), [endpoints]);
  return (
    <>
      <PageHeader title="Overview">
        How attempts at the endpoints went, and what needs somebody. Every number leads to what is behind it.
      </PageHeader>
      <SegmentedControl
        size="xs"
        mb="md"
        aria-label="Time range"
        data={RANGE_NAMES.map((name) => ({ value: name, label: RANGES[name].label }))}
        value={range}
        onChange={(value) => void setRange(value as Range)}
      />
      {stats.error && !stats.data ? (
        <ProblemAlert error={stats.error} onRetry={() => void stats.refetch()} />
      ) : (
        <Stack gap="xl" className={classes.page} data-dimmed={stats.isPlaceholderData || undefined}>
          {stats.data ? <Numbers stats={stats.data} range={range} /> : <Loading />}
          <div className={classes.columns}>
            <TroubledEndpoints stats={stats.data} endpoints={endpointsById} range={range} />
            <RecentFailures endpoints={endpointsById} everyMs={everyMs} />
          </div>
        </Stack>
      )}
    </>
  );
}

function Numbers({ stats, range }: { stats: TenantStats; range: Range }) {
  const { long, bucket } = RANGES[range];
  return (
    <>
      <Figures stats={stats} range={range} />
      {stats.totals.attempts > 0 ? (
        <TimeBars bars={barsOf(stats)} label={`Attempts by the ${bucket}, UTC`} />
      ) : (
        <EmptyNote title={`No attempts in ${long}`}>
          Nothing was due, or nothing was published. Look at a longer range above.
        </EmptyNote>
      )}
    </>
  );
}

function Loading() {
  return (
    <>
      <Skeleton height={92} />
      <Skeleton height={160} />
    </>
  );
}
