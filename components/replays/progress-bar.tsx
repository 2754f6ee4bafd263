import { progressOf } from "#client/replays.ts";
import type { Replay } from "#contracts/replays.ts";
import classes from "./progress-bar.module.css";

/** How much of a replay has ended, delivered and failed apart. */
export function ProgressBar({ replay, isLarge = false }: { replay: Replay; isLarge?: boolean }) {
  const { words, shares } = progressOf(replay);
  return (
    <div
      className={classes.bar}
      data-large={isLarge || undefined}
      role="progressbar"
      aria-label="Deliveries that have ended"
      aria-valuemin={0}
      aria-valuemax={replay.total}
      aria-valuenow={Math.min(replay.done, replay.total)}
      aria-valuetext={words}
    >
      <div className={classes.delivered} style={{ width: `${shares.delivered}%` }} />
      <div className={classes.failed} style={{ width: `${shares.failed}%` }} />
    </div>
  );
}
