import type { Say } from "./report.ts";

const ROUNDS = 3;

/** Measures three times: the machine itself may be slower for a while, also between a limit and what is measured against it. */
export async function inRounds<T>(what: string, say: Say, measure: () => Promise<T>): Promise<T[]> {
  const rounds: T[] = [];
  for (let round = 1; round <= ROUNDS; round++) {
    say(`${what}, round ${round} of ${ROUNDS}`);
    rounds.push(await measure());
  }
  return rounds;
}

/** The one of three rounds that lies in the middle. */
export function medianOf<T>(rounds: readonly T[], figureOf: (round: T) => number): T {
  return rounds.toSorted((a, b) => figureOf(a) - figureOf(b))[Math.floor(rounds.length / 2)] as T;
}
