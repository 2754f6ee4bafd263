/** Past this the oldest due delivery is late: more work than workers, or endpoints that take less than they get. */
export const LATE_SECONDS = 60;
/** Past this nobody should go on sleeping. */
export const STALLED_SECONDS = 600;

/** How deliveries are getting on. */
export type Progress = "ok" | "late" | "stalled";

/**
 * Judges by what comes out, not by what is running: a process that lives and sends nothing is as bad as none. With no
 * worker alive deliveries are stalled, whether or not any is due yet.
 */
export function judgeProgress(seen: { oldestDueSeconds: number; workers: number }): Progress {
  if (seen.workers === 0 || seen.oldestDueSeconds > STALLED_SECONDS) return "stalled";
  return seen.oldestDueSeconds > LATE_SECONDS ? "late" : "ok";
}
