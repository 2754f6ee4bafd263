"use client";

import { ago, localMoment, until, utcMoment } from "#client/format.ts";
import { useNow } from "#client/use-now.ts";

/** Both readings of a moment, for a hover or a long press. */
const exactly = (at: string) => `${utcMoment(at)}\n${localMoment(at)}`;

/** How long ago something was. */
export function Ago({ at }: { at: string }) {
  return (
    <time dateTime={at} title={exactly(at)}>
      {ago(Date.parse(at), useNow())}
    </time>
  );
}

/** When something is due. */
export function Until({ at }: { at: string }) {
  return (
    <time dateTime={at} title={exactly(at)}>
      {until(Date.parse(at), useNow())}
    </time>
  );
}

/** The moment itself in UTC, where there is room for it. */
export function Moment({ at }: { at: string }) {
  return (
    <time dateTime={at} title={localMoment(at)}>
      {utcMoment(at)}
    </time>
  );
}
