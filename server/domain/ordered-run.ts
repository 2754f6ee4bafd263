/** An ordered endpoint is sent to one delivery after the other, by one worker for a while: a run. */

const ABOUT_MS = 1_000;
const MAX_SIZE = 50;

/** A run that has ended. */
export interface EndedRun {
  /** Deliveries that it may have had. */
  size: number;
  tookMs: number;
  /** One of its deliveries has to be tried again. */
  hasFailed: boolean;
}

/**
 * How many deliveries the next run may have: as many as the endpoint takes within about a second, so that the hands it is in
 * are changed rarely and little is held for who is slow. What has to be tried again goes alone.
 */
export function nextRunSize({ size, tookMs, hasFailed }: EndedRun): number {
  if (hasFailed) return 1;
  return tookMs <= ABOUT_MS ? Math.min(MAX_SIZE, 2 * size) : Math.max(1, Math.floor(size / 2));
}
