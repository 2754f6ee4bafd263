import classes from "./day-trend.module.css";

const WIDTH = 8;
const HEIGHT = 24;

/** A few days as small bars, in the middle of text. */
export function DayTrend({ counts, days }: { counts: readonly number[]; days: readonly string[] }) {
  const most = Math.max(1, ...counts);
  const words = counts.map((count, index) => `${days[index]?.slice(5, 10)}: ${count}`).join(", ");
  return (
    <svg
      className={classes.trend}
      width={counts.length * WIDTH}
      height={HEIGHT}
      role="img"
      aria-label={`By day of creation: ${words}`}
    >
      <title>{words}</title>
      {counts.map((count, index) => {
        const height = count === 0 ? 1 : Math.max(3, (HEIGHT * count) / most);
        return (
          <rect
            key={days[index]}
            data-empty={count === 0 || undefined}
            x={index * WIDTH}
            y={HEIGHT - height}
            width={WIDTH - 2}
            height={height}
          />
        );
      })}
    </svg>
  );
}
