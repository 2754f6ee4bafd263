import { measureBacklog } from "./backlog.ts";
import { measureDrains } from "./drains.ts";
import type { Ground } from "./ground.ts";
import { measureIsolation } from "./isolation.ts";
import { measureLatency } from "./latency.ts";
import { measureLists } from "./lists.ts";
import { measurePublish } from "./publish.ts";
import { measureRecovery } from "./recovery.ts";
import type { Row, Say } from "./report.ts";
import { measureStorage } from "./storage.ts";
import { measureSustained } from "./sustained.ts";
import { measureWorkers } from "./workers.ts";

export interface SectionOptions {
  /** The long run, with the largest sizes. */
  isFull: boolean;
  bodyBytes: number;
  say: Say;
}

export interface Section {
  title: string;
  /** What the quick and the full run take on two cores, in minutes, and on the disk, in MiB. */
  takes: { quick: [minutes: number, mib: number]; full: [minutes: number, mib: number] };
  measure(ground: Ground, options: SectionOptions): Promise<Row[]>;
}

/** Every part of the benchmarks, in the order in which they run. */
export const SECTIONS: Readonly<Record<string, Section>> = {
  drain: {
    title: "Deliveries per second against the bare limit",
    takes: { quick: [3, 700], full: [6, 1_500] },
    measure: (ground, { isFull, bodyBytes, say }) =>
      measureDrains(ground, { deliveries: isFull ? 200_000 : 60_000, bodyBytes, say }),
  },
  backlog: {
    title: "Backlogs of several sizes, and memory",
    takes: { quick: [1, 700], full: [6, 6_000] },
    measure: (ground, { isFull, bodyBytes, say }) =>
      measureBacklog(ground, {
        sizes: isFull ? [10_000, 100_000, 1_000_000] : [10_000, 100_000],
        bodyBytes,
        say,
      }),
  },
  sustained: {
    title: "Publishing and delivering at the same time",
    takes: { quick: [2, 500], full: [5, 1_500] },
    measure: (ground, { isFull, bodyBytes, say }) =>
      measureSustained(ground, { bodyBytes, durationMs: isFull ? 60_000 : 10_000, say }),
  },
  publish: {
    title: "Publishing over HTTP",
    takes: { quick: [1, 1_500], full: [3, 6_000] },
    measure: (ground, { isFull, bodyBytes, say }) =>
      measurePublish(ground, { bodyBytes, durationMs: isFull ? 20_000 : 5_000, say }),
  },
  latency: {
    title: "From publishing to arrival",
    takes: { quick: [1, 200], full: [2, 200] },
    measure: (ground, { isFull, bodyBytes }) =>
      measureLatency(ground, { bodyBytes, events: isFull ? 3_000 : 1_000 }),
  },
  isolation: {
    title: "Two of twenty endpoints hang, with 10,000 deliveries queued for them",
    takes: { quick: [5, 300], full: [12, 500] },
    measure: (ground, { isFull, bodyBytes, say }) =>
      measureIsolation(ground, {
        deliveries: isFull ? 100_000 : 40_000,
        bodyBytes,
        durationMs: isFull ? 60_000 : 15_000,
        say,
      }),
  },
  workers: {
    title: "Several worker processes",
    takes: { quick: [1, 300], full: [2, 900] },
    measure: (ground, { isFull, bodyBytes }) =>
      measureWorkers(ground, { deliveries: isFull ? 60_000 : 20_000, bodyBytes }),
  },
  recovery: {
    title: "kill -9 of one of two workers at full load",
    takes: { quick: [1, 300], full: [3, 300] },
    measure: (ground, { isFull, bodyBytes, say }) =>
      measureRecovery(ground, { deliveries: 20_000, bodyBytes, rounds: isFull ? 9 : 3, say }),
  },
  lists: {
    title: "Pages of the lists over HTTP",
    takes: { quick: [3, 1_500], full: [25, 20_000] },
    measure: (ground, { isFull, say }) =>
      measureLists(ground, { attempts: isFull ? 10_000_000 : 200_000, say }),
  },
  storage: {
    title: "Bytes per delivery",
    takes: { quick: [1, 300], full: [1, 500] },
    measure: (ground, { isFull, bodyBytes }) =>
      measureStorage(ground, { deliveries: isFull ? 50_000 : 20_000, bodyBytes }),
  },
};
