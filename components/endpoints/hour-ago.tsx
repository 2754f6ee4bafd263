"use client";

import { shortSpan, utcMoment } from "#client/format.ts";
import { useNow } from "#client/use-now.ts";

const HOUR_MS = 3_600_000;

/** How long ago the hour ended that began at `at`: as exactly as counters by the hour can tell. */
export function HourAgo({ at }: { at: string }) {
  const ms = useNow() - Date.parse(at) - HOUR_MS;
  return (
    <time dateTime={at} title={`Within the hour from ${utcMoment(at)}`}>
      {ms < 0 ? "this hour" : `${shortSpan(Math.max(HOUR_MS, ms))} ago`}
    </time>
  );
}
