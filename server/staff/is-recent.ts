/** For how long a password or passkey that was given counts as given just now. */
const RECENT_MS = 10 * 60_000;

/** Whether somebody has proved lately who they are. */
export function isRecent(confirmedAt: Date, now: Date): boolean {
  return now.getTime() - confirmedAt.getTime() <= RECENT_MS;
}
