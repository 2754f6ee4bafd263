"use client";

import { useId } from "react";
import { localMoment, utcMoment } from "#client/format.ts";
import type { Bar } from "#client/tenant-stats.ts";
import classes from "./time-bars.module.css";

const HEIGHT = 120;
const GAP = 0.2;

interface TimeBarsProps {
  bars: readonly Bar[];
  /** What the chart is of, for those who cannot see it. */
  label: string;
}

/** Successes and failures over time, one bar for each bucket. Its table is there for those who cannot see it. */
export function TimeBars({ bars, label }: TimeBarsProps) {
  const caption = useId();
  const most = Math.max(1, ...bars.map(({ succeeded, failed }) => succeeded + failed));
  const height = (count: number) => (count === 0 ? 0 : Math.max(1.5, (HEIGHT * count) / most));
  return (
    <figure className={classes.chart} aria-labelledby={caption}>
      <figcaption id={caption} className={classes.caption}>
        <span>{label}</span>
        <span className={classes.legend}>
          <span data-tone="good">Accepted</span>
          <span data-tone="bad">Failed</span>
          <span>up to {most.toLocaleString("en")} in one bar</span>
        </span>
      </figcaption>
      <svg
        viewBox={`0 0 ${bars.length} ${HEIGHT}`}
        preserveAspectRatio="none"
        className={classes.plot}
        role="img"
        aria-label={summaryOf(bars)}
      >
        {bars.map(({ start, succeeded, failed }, index) => {
          const [good, bad] = [height(succeeded), height(failed)];
          return (
            <g key={start}>
              <title>{`${utcMoment(start)}\n${localMoment(start)}\n${succeeded} accepted, ${failed} failed`}</title>
              <rect className={classes.hit} x={index} y={0} width={1} height={HEIGHT} />
              <rect data-tone="good" x={index + GAP / 2} y={HEIGHT - good} width={1 - GAP} height={good} />
              <rect
                data-tone="bad"
                x={index + GAP / 2}
                y={Math.max(0, HEIGHT - good - bad)}
                width={1 - GAP}
                height={bad}
              />
            </g>
          );
        })}
      </svg>
      <Axis bars={bars} />
    </figure>
  );
}

function summaryOf(bars: readonly Bar[]): string {
  const sum = (member: "succeeded" | "failed") => bars.reduce((all, bar) => all + bar[member], 0);
  const worst = bars.reduce<Bar | null>((most, bar) => (bar.failed > (most?.failed ?? 0) ? bar : most), null);
  const total = `${sum("succeeded").toLocaleString("en")} accepted, ${sum("failed").toLocaleString("en")} failed.`;
  return worst
    ? `${total} Most failures: ${worst.failed.toLocaleString("en")} from ${utcMoment(worst.start)}.`
    : total;
}

/** The beginning, the middle and the last of the buckets, in UTC. */
function Axis({ bars }: { bars: readonly Bar[] }) {
  const marks = [bars[0], bars[Math.floor(bars.length / 2)], bars.at(-1)];
  const isLong = bars.length > 100;
  return (
    <div className={classes.axis} aria-hidden="true">
      {marks.map((bar, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: always the same three.
        <span key={index}>
          {bar && `${isLong ? `${bar.start.slice(5, 10)} ` : ""}${bar.start.slice(11, 16)}`}
        </span>
      ))}
    </div>
  );
}
