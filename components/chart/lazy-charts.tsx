"use client";

import { Skeleton } from "@mantine/core";
import dynamic from "next/dynamic";

// The code of a chart is read beside its figures, not before the page can be used. Each leaves the room that it will take.

export const LineChart = dynamic(() => import("./line-chart.tsx").then((module) => module.LineChart), {
  loading: () => <Skeleton height={220} />,
});

export const TimeBars = dynamic(() => import("./time-bars.tsx").then((module) => module.TimeBars), {
  loading: () => <Skeleton height={178} />,
});

export const Sparkline = dynamic(() => import("./sparkline.tsx").then((module) => module.Sparkline), {
  loading: () => <Skeleton height={20} width={119} />,
});

export const DayTrend = dynamic(() => import("./day-trend.tsx").then((module) => module.DayTrend), {
  loading: () => <Skeleton height={24} width={56} />,
});
