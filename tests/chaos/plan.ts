import { Dice } from "./dice.ts";

/** What is done to a process, to the database or to the way between them. */
export const FAULTS = [
  "kill worker",
  "freeze worker",
  "freeze worker and cut its connections",
  "kill web",
  "freeze web",
  "restart database",
  "stop database at once",
  "kill database",
  "cut all connections",
  "cut the connections of a process",
  "cut one connection",
  "let nothing through",
  "let nothing through from a process",
  "slow a process's connections",
] as const;
export type FaultKind = (typeof FAULTS)[number];

export interface Fault {
  /** Since the start of the run. */
  atMs: number;
  kind: FaultKind;
  /** Which process or connection of those there are: taken modulo their number. */
  target: number;
  /** How long it lasts: until a killed process is started again, a frozen one goes on, the database is back, bytes flow. */
  forMs: number;
}

/** How long each kind lasts, in milliseconds. A pool gives up a connection that cannot be had after 5 s. */
const LASTS: Record<FaultKind, readonly [number, number]> = {
  "kill worker": [100, 2_000],
  "freeze worker": [500, 5_000],
  "freeze worker and cut its connections": [3_000, 6_000],
  "kill web": [100, 1_500],
  "freeze web": [500, 3_000],
  "restart database": [0, 1_500],
  "stop database at once": [0, 1_500],
  "kill database": [0, 500],
  "cut all connections": [0, 2_000],
  "cut the connections of a process": [0, 3_000],
  "cut one connection": [0, 0],
  "let nothing through": [1_000, 6_000],
  "let nothing through from a process": [1_000, 8_000],
  "slow a process's connections": [1_000, 4_000],
};
const GAP_MS = [800, 3_200] as const;
/** Nothing is broken while there is nothing under way yet, nor so late that it would outlast the run. */
const QUIET_MS = 1_500;

/** The faults of a run, in their order. Each kind comes once before any comes twice, so that a minute has them all. */
export function planFaults(seed: number, seconds: number): Fault[] {
  const dice = new Dice(seed);
  const plan: Fault[] = [];
  let deck: FaultKind[] = [];
  for (let atMs = QUIET_MS; atMs < seconds * 1000 - QUIET_MS; atMs += dice.between(...GAP_MS)) {
    if (deck.length === 0) deck = dice.shuffled(FAULTS);
    const kind = deck.pop();
    if (kind) plan.push({ atMs, kind, target: dice.between(0, 999), forMs: dice.between(...LASTS[kind]) });
  }
  return plan;
}
