/** This many wrong passwords in a row are everybody's own business. */
const FREE_FAILURES = 10;
const FIRST_WAIT_MS = 60_000;
const LONGEST_WAIT_MS = 3_600_000;

/** After this time without one, wrong passwords are forgotten. */
export const FORGET_MS = 24 * 3_600_000;

/**
 * How long nobody may try again: after ten wrong passwords in a row a minute, then twice as long each time, an hour at
 * most. It holds for one account from one place, so that nobody can keep another person out.
 */
export function lockedForMs({ count, lastAt }: { count: number; lastAt: Date }, now: Date): number {
  const sinceMs = now.getTime() - lastAt.getTime();
  if (count < FREE_FAILURES || sinceMs >= FORGET_MS) return 0;
  const waitMs = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (count - FREE_FAILURES));
  return Math.max(0, waitMs - sinceMs);
}
