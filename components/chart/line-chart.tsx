"use client";

import { type PointerEvent, useId, useState } from "react";
import { bucketX, linePath, roundUp } from "#client/chart-scale.ts";
import classes from "./line-chart.module.css";

const WIDTH = 600;
const HEIGHT = 140;

/** Which of the chart's colours a line has. */
type Hue = "first" | "second" | "third";

interface Series {
  name: string;
  hue: Hue;
  values: readonly (number | null)[];
}

interface LineChartProps {
  title: string;
  /** The gist in a sentence, for everybody who does not see the lines. */
  summary: string;
  series: readonly Series[];
  /** What each bucket is called. */
  labels: readonly string[];
  format(value: number): string;
  /** The top of the scale; the least round number above all values when absent. */
  max?: number;
}

/** Lines over time. All numbers are in a table beneath, too. */
export function LineChart({ title, summary, series, labels, format, max }: LineChartProps) {
  const heading = useId();
  const [at, point] = useState<number | null>(null);
  const top = max ?? roundUp(Math.max(0, ...series.flatMap(({ values }) => values.map((each) => each ?? 0))));
  const box = { width: WIDTH, height: HEIGHT, max: top };
  const follow = (event: PointerEvent<SVGSVGElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    const index = Math.floor(((event.clientX - left) / width) * labels.length);
    point(Math.min(labels.length - 1, Math.max(0, index)));
  };
  const read = (value: number | null | undefined) => (value == null ? "–" : format(value));
  return (
    <section className={classes.chart} aria-labelledby={heading}>
      <div className={classes.head}>
        <h3 id={heading} className={classes.title}>
          {title}
        </h3>
        <ul className={classes.legend}>
          {series.map(({ name, hue, values }) => (
            <li key={name}>
              <span className={classes.key} data-hue={hue} aria-hidden="true" />
              {name}
              {at !== null && <strong>{read(values[at])}</strong>}
            </li>
          ))}
        </ul>
      </div>
      <div className={classes.plot}>
        <span className={classes.top}>{format(top)}</span>
        <span className={classes.bottom}>0</span>
        <svg
          role="img"
          aria-label={summary}
          className={classes.svg}
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          preserveAspectRatio="none"
          onPointerMove={follow}
          onPointerLeave={() => point(null)}
        >
          {[0, 0.5, 1].map((part) => (
            <line
              key={part}
              className={classes.grid}
              x1={0}
              x2={WIDTH}
              y1={part * HEIGHT}
              y2={part * HEIGHT}
            />
          ))}
          {at !== null && (
            <line
              className={classes.cursor}
              x1={bucketX(at, labels.length, WIDTH)}
              x2={bucketX(at, labels.length, WIDTH)}
              y1={0}
              y2={HEIGHT}
            />
          )}
          {series.map(({ name, hue, values }) => (
            <path key={name} className={classes.line} data-hue={hue} d={linePath(values, box)} />
          ))}
        </svg>
      </div>
      <div className={classes.axis} aria-hidden="true">
        <span>{labels[0]}</span>
        <span className={classes.at}>{at === null ? "" : labels[at]}</span>
        <span>{labels.at(-1)}</span>
      </div>
      <ChartTable title={title} series={series} labels={labels} read={read} />
    </section>
  );
}

interface ChartTableProps extends Pick<LineChartProps, "title" | "series" | "labels"> {
  read(value: number | null | undefined): string;
}

/** The chart's numbers; buckets in which nothing happened are left out. */
function ChartTable({ title, series, labels, read }: ChartTableProps) {
  const [isOpen, open] = useState(false);
  const filled = labels.flatMap((label, index) =>
    series.some(({ values }) => values[index] != null) ? [{ label, index }] : [],
  );
  return (
    <details className={classes.table} onToggle={(event) => open(event.currentTarget.open)}>
      <summary>Show as a table</summary>
      {isOpen && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
        <section className={classes.scroll} tabIndex={0} aria-label={`${title}, as a table`}>
          <table>
            <thead>
              <tr>
                <th scope="col">Time</th>
                {series.map(({ name }) => (
                  <th key={name} scope="col">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {filled.map(({ label, index }) => (
                <tr key={label}>
                  <th scope="row">{label}</th>
                  {series.map(({ name, values }) => (
                    <td key={name}>{read(values[index])}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
          {filled.length === 0 && <p>Nothing was sent in this time.</p>}
        </section>
      )}
    </details>
  );
}
