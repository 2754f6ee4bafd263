import { milliseconds } from "#client/format.ts";
import { phasesOf } from "#client/timings.ts";
import type { Attempt } from "#contracts/deliveries.ts";
import classes from "./timings-bar.module.css";

/** How the time of an attempt was spent, as a bar and in numbers. */
export function TimingsBar({ timings }: { timings: NonNullable<Attempt["timings_ms"]> }) {
  const phases = phasesOf(timings);
  return (
    <div className={classes.timings}>
      <div className={classes.bar} aria-hidden="true">
        {phases.map(({ name, ms }) => (
          <span key={name} data-phase={name} style={{ flexGrow: ms }} />
        ))}
      </div>
      <dl className={classes.legend}>
        {phases.map(({ name, label, ms }) => (
          <div key={name} className={classes.phase}>
            <dt>
              <span className={classes.key} data-phase={name} aria-hidden="true" />
              {label}
            </dt>
            <dd>{milliseconds(ms)}</dd>
          </div>
        ))}
        <div className={classes.phase}>
          <dt>Total</dt>
          <dd className={classes.total}>{milliseconds(timings.total)}</dd>
        </div>
      </dl>
    </div>
  );
}
