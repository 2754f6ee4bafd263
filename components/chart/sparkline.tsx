import classes from "./sparkline.module.css";

const BAR = 4;
const GAP = 1;
const HEIGHT = 20;

interface SparklineProps {
  /** Oldest first. */
  buckets: readonly { start: string; succeeded: number; failed: number }[];
  /** What it shows, in words. */
  label: string;
}

/** How much was sent in each bucket, and how much of it failed, as small bars. */
export function Sparkline({ buckets, label }: SparklineProps) {
  const most = Math.max(1, ...buckets.map(({ succeeded, failed }) => succeeded + failed));
  // What happened is seen, however little it is beside the rest.
  const heightOf = (count: number) => (count === 0 ? 0 : Math.max(2, (count / most) * HEIGHT));
  const width = buckets.length * (BAR + GAP) - GAP;
  return (
    <svg
      role="img"
      aria-label={label}
      className={classes.sparkline}
      width={width}
      height={HEIGHT}
      viewBox={`0 0 ${width} ${HEIGHT}`}
    >
      {buckets.map(({ start, succeeded, failed }, index) => {
        const x = index * (BAR + GAP);
        const bad = heightOf(failed);
        const good = Math.min(heightOf(succeeded), HEIGHT - bad);
        return (
          <g key={start}>
            {succeeded + failed === 0 && (
              <rect className={classes.none} x={x} y={HEIGHT - 1} width={BAR} height={1} />
            )}
            <rect className={classes.bad} x={x} y={HEIGHT - bad} width={BAR} height={bad} />
            <rect className={classes.good} x={x} y={HEIGHT - bad - good} width={BAR} height={good} />
          </g>
        );
      })}
    </svg>
  );
}
