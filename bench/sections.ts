import { measureBacklog } from "./backlog.ts";
import { measureDrain } from "./drain.ts";
import type { Ground } from "./ground.ts";
import { measureIsolation } from "./isolation.ts";
import { measureLatency } from "./latency.ts";
import { measureLists } from "./lists.ts";
import { measurePublish } from "./publish.ts";
import type { Row } from "./report.ts";
import { measureStorage } from "./storage.ts";
import { measureSustained } from "./sustained.ts";
import { measureWorkers } from "./workers.ts";

export interface SectionOptions {
  /** The long run, with the largest sizes. */
  isFull: boolean;
  bodyBytes: number;
  say: (text: string) => void;
}

export interface Section {
  title: string;
  /** What the quick and the full run take on two cores, in minutes, and on the disk, in MiB. */
  takes: { quick: [minutes: number, mib: number]; full: [minutes: number, mib: number] };
  measure(ground: Ground, options: SectionOptions): Promise<Row[]>;
}

const ROUNDS = 3;

/** Every part of the benchmarks, in the order in which they run. */
export const SECTIONS: Readonly<Record<string, Section>> = {
  drain: {
    title: "Deliveries per second against the bare limit, 1 worker",
    takes: { quick: [1, 300], full: [3, 500] },
    measure: measureDrains,
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
    takes: { quick: [1, 500], full: [2, 1_500] },
    measure: (ground, { isFull, bodyBytes }) =>
      measureSustained(ground, { bodyBytes, durationMs: isFull ? 60_000 : 10_000 }),
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
    takes: { quick: [2, 300], full: [4, 500] },
    measure: (ground, { isFull, bodyBytes }) =>
      measureIsolation(ground, {
        deliveries: isFull ? 100_000 : 40_000,
        bodyBytes,
        durationMs: isFull ? 60_000 : 15_000,
      }),
  },
  workers: {
    title: "Several worker processes",
    takes: { quick: [1, 300], full: [2, 900] },
    measure: (ground, { isFull, bodyBytes }) =>
      measureWorkers(ground, { deliveries: isFull ? 60_000 : 20_000, bodyBytes }),
  },
  lists: {
    title: "Pages of the lists over HTTP",
    takes: { quick: [2, 1_000], full: [25, 20_000] },
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

/** Limit and deliveries in turn, of which the round with the median ratio counts. */
async function measureDrains(ground: Ground, { isFull, bodyBytes, say }: SectionOptions): Promise<Row[]> {
  const rounds = [];
  for (let round = 1; round <= ROUNDS; round++) {
    say(`round ${round} of ${ROUNDS}`);
    rounds.push(await measureDrain(ground, { deliveries: isFull ? 60_000 : 20_000, bodyBytes }));
  }
  const [median] = rounds.toSorted((a, b) => a.ratio - b.ratio).slice(Math.floor(ROUNDS / 2));
  if (!median) return [];
  return [
    {
      name: "durable deliveries, drain of a backlog",
      value: median.deliveriesPerSecond,
      unit: "/s",
      limit: { name: "bare sign + POST", value: median.barePerSecond },
      wanted: { atLeast: 0.7 },
    },
  ];
}
