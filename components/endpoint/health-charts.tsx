"use client";

import { SegmentedControl, Skeleton, Title } from "@mantine/core";
import type { UseQueryResult } from "@tanstack/react-query";
import { milliseconds } from "#client/format.ts";
import { STATS_RANGE_NAMES, STATS_RANGES, type StatsRange } from "#client/stats-range.ts";
import { bucketLabel, latencyInWords, percent, totalsInWords } from "#client/stats-words.ts";
import type { EndpointStats } from "#contracts/endpoint-stats.ts";
import { LineChart } from "../chart/lazy-charts.tsx";
import { ProblemAlert } from "../problem-alert.tsx";
import classes from "./endpoint-page.module.css";

interface HealthChartsProps {
  range: StatsRange;
  onRange: (range: StatsRange) => void;
  stats: UseQueryResult<EndpointStats>;
}

/** How attempts went and how long they took, over time. */
export function HealthCharts({ range, onRange, stats }: HealthChartsProps) {
  return (
    <section aria-label="Health">
      <div className={classes.sectionHead}>
        <Title order={2}>Health</Title>
        <SegmentedControl
          size="xs"
          aria-label="Range of the charts"
          data={STATS_RANGE_NAMES.map((value) => ({ value, label: STATS_RANGES[value].label }))}
          value={range}
          onChange={(value) => onRange(value as StatsRange)}
        />
      </div>
      {stats.data ? (
        <Charts stats={stats.data} range={range} />
      ) : stats.error ? (
        <ProblemAlert error={stats.error} onRetry={() => void stats.refetch()} />
      ) : (
        <div className={classes.charts}>
          <Skeleton height={220} />
          <Skeleton height={220} />
        </div>
      )}
    </section>
  );
}

function Charts({ stats, range }: { stats: EndpointStats; range: StatsRange }) {
  const { buckets, bucket } = stats;
  const labels = buckets.map(({ start }) => bucketLabel(start, bucket));
  const totals = totalsInWords(stats, STATS_RANGES[range].label);
  return (
    <>
      <p className={classes.totals}>
        {totals} {stats.totals.attempts > 0 && latencyInWords(stats)}
      </p>
      <div className={classes.charts}>
        <LineChart
          title="Success rate"
          summary={totals}
          labels={labels}
          max={1}
          format={percent}
          series={[
            { name: "Succeeded", hue: "first", values: buckets.map(({ success_rate: rate }) => rate) },
          ]}
        />
        <LineChart
          title="Latency"
          summary={latencyInWords(stats)}
          labels={labels}
          format={milliseconds}
          series={[
            { name: "p50", hue: "first", values: buckets.map((each) => each.latency_p50_ms) },
            { name: "p95", hue: "second", values: buckets.map((each) => each.latency_p95_ms) },
            { name: "p99", hue: "third", values: buckets.map((each) => each.latency_p99_ms) },
          ]}
        />
      </div>
    </>
  );
}
