const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** A span of time in one unit, rounded down: `12 s`, `4 m`, `3 h`, `2 d`. */
export function shortSpan(ms: number): string {
  if (ms < MINUTE_MS) return `${Math.max(0, Math.floor(ms / SECOND_MS))} s`;
  if (ms < HOUR_MS) return `${Math.floor(ms / MINUTE_MS)} m`;
  if (ms < 2 * DAY_MS) return `${Math.floor(ms / HOUR_MS)} h`;
  return `${Math.floor(ms / DAY_MS)} d`;
}

/** A span in the two units that matter: `1 m 05 s`, `3 h 12 m`, `2 d 4 h`. */
export function longSpan(ms: number): string {
  const two = (value: number) => String(value).padStart(2, "0");
  if (ms < SECOND_MS) return `${Math.round(Math.max(0, ms))} ms`;
  if (ms < MINUTE_MS) return `${(ms / SECOND_MS).toFixed(1).replace(/\.0$/, "")} s`;
  if (ms < HOUR_MS)
    return `${Math.floor(ms / MINUTE_MS)} m ${two(Math.floor((ms % MINUTE_MS) / SECOND_MS))} s`;
  if (ms < DAY_MS) return `${Math.floor(ms / HOUR_MS)} h ${two(Math.floor((ms % HOUR_MS) / MINUTE_MS))} m`;
  return `${Math.floor(ms / DAY_MS)} d ${Math.floor((ms % DAY_MS) / HOUR_MS)} h`;
}

/** How long ago: `just now`, `12 s ago`. A clock that runs behind the server's does not make it the future. */
export function ago(atMs: number, nowMs: number): string {
  const ms = nowMs - atMs;
  return ms < SECOND_MS ? "just now" : `${shortSpan(ms)} ago`;
}

/** When something is due: `in 4 m`, or `now` once its time has come. */
export function until(atMs: number, nowMs: number): string {
  const ms = atMs - nowMs;
  return ms <= 0 ? "now" : `in ${shortSpan(Math.max(SECOND_MS, ms))}`;
}

/** Milliseconds of a measurement: `0.4 ms`, `12 ms`, `1.53 s`. */
export function milliseconds(ms: number): string {
  if (ms < 1) return `${ms.toFixed(1)} ms`;
  if (ms < SECOND_MS) return `${Math.round(ms)} ms`;
  return `${(ms / SECOND_MS).toFixed(2)} s`;
}

/** The moment in UTC, to the millisecond: `2026-11-21 09:30:00.123 UTC`. */
export function utcMoment(timestamp: string): string {
  return `${new Date(timestamp).toISOString().replace("T", " ").slice(0, -1)} UTC`;
}

/** The moment where the reader is, with the zone's name. */
export function localMoment(timestamp: string): string {
  return new Intl.DateTimeFormat(undefined, {
    year: "numeric",
    month: "short",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    timeZoneName: "short",
  }).format(new Date(timestamp));
}

/** A count with its noun: `1 attempt`, `1,204 attempts`. */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${count.toLocaleString("en")} ${count === 1 ? noun : plural}`;
}

/** Bytes of a text as it travels. */
export function byteSize(text: string): string {
  const bytes = new TextEncoder().encode(text).length;
  return bytes < 1024 ? `${bytes} B` : `${(bytes / 1024).toFixed(1)} KiB`;
}
