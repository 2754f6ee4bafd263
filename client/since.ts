import { MAX_RANGE_DAYS } from "#contracts/replays.ts";

const HOUR_MS = 3_600_000;

/** How far back a recovery goes: what is offered, in hours. */
export const SINCE_CHOICES = [
  { value: "1", label: "the last hour" },
  { value: "24", label: "the last 24 hours" },
  { value: "168", label: "the last 7 days" },
  { value: "720", label: "the last 30 days" },
] as const;

/** The moment so many hours before `nowMs`. */
export const hoursBefore = (hours: string, nowMs: number): string =>
  new Date(nowMs - Number(hours) * HOUR_MS).toISOString();

/** A moment typed in UTC as `2026-11-21T09:30`, or why it cannot be taken. */
export function readSince(text: string, nowMs: number): { at: string } | { fault: string } {
  const ms = Date.parse(`${text}Z`);
  if (text === "" || Number.isNaN(ms)) return { fault: "Choose a day and a time." };
  if (ms > nowMs) return { fault: "This lies in the future." };
  if (ms < nowMs - MAX_RANGE_DAYS * 24 * HOUR_MS)
    return { fault: `This is more than ${MAX_RANGE_DAYS} days ago.` };
  return { at: new Date(ms).toISOString() };
}
