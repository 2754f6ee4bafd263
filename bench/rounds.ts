const ROUNDS = 3;

/** What is said while a section runs. */
export type Say = (text: string) => void;

/**
 * Measures three times and gives the round whose ratio is the median: the machine itself may be slower for a while, also
 * between the limit and what is measured against it.
 */
export async function medianOfRounds<T extends { ratio: number }>(
  what: string,
  say: Say,
  measure: () => Promise<T>,
): Promise<T> {
  const rounds: T[] = [];
  for (let round = 1; round <= ROUNDS; round++) {
    say(`${what}, round ${round} of ${ROUNDS}`);
    rounds.push(await measure());
  }
  return rounds.toSorted((a, b) => a.ratio - b.ratio)[Math.floor(ROUNDS / 2)] as T;
}
