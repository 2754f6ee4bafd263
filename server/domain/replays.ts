import { uuidFloor } from "#contracts/ids.ts";
import type { Link } from "#contracts/page.ts";
import type { ReplaySelection, ReplayStatus } from "#contracts/replays.ts";

/** Whether nothing more happens but what is already on its way. */
export const isEnded = (status: ReplayStatus): boolean => status === "completed" || status === "cancelled";

/** The links of a replay that is found at `self`. */
export function replayLinks(status: ReplayStatus, self: string): Link[] {
  return [
    { rel: "self", href: self, method: "GET" },
    ...(isEnded(status) ? [] : [{ rel: "cancel", href: `${self}/cancel`, method: "POST" as const }]),
  ];
}

/** Which deliveries of an endpoint are looked for. */
export interface DeliveryRange {
  /** Ids after this one, which no delivery has. */
  afterId: string;
  /** Ids before this one. */
  beforeId: string;
  statuses: readonly string[];
  /** LIKE patterns, one of which the type must fit; `null` for every type. */
  typePatterns: readonly string[] | null;
  /** One of which the reason of the failure must be; `null` for any. */
  failureReasons: readonly string[] | null;
}

/** What is undelivered and has not been seen to by anybody. */
const TO_RECOVER: readonly string[] = ["failed", "cancelled"];

/** The deliveries that a replay made at `createdAt` is of. What was made later is not: that is on its way as it is. */
export function deliveryRange(selection: ReplaySelection, createdAt: Date): DeliveryRange {
  const { from, since, to, statuses = TO_RECOVER, event_types, failure_reasons } = selection;
  const end = Math.min(to === undefined ? Number.POSITIVE_INFINITY : Date.parse(to), createdAt.getTime());
  return {
    afterId: uuidFloor(Date.parse(from ?? since ?? "")),
    beforeId: uuidFloor(end),
    statuses,
    typePatterns: event_types === undefined ? null : typePatterns(event_types),
    failureReasons: failure_reasons ?? null,
  };
}

/** Names, `*` and prefixes that end in `*` as LIKE patterns; `null` when they cover every type. */
export function typePatterns(eventTypes: readonly string[]): string[] | null {
  if (eventTypes.includes("*")) return null;
  return eventTypes.map((type) => type.replaceAll("_", "\\_").replace(/\*$/, "%"));
}

/** Which events are looked through for those that never made a delivery. */
export interface EventRange {
  afterId: string;
  /** Times of storing. */
  from: Date;
  to: Date;
}

const DAY_MS = 86_400_000;

/** The events of a recovery that includes missing ones; `undefined` of any other replay. */
export function eventRange(selection: ReplaySelection, createdAt: Date): EventRange | undefined {
  if (!selection.include_missing || selection.since === undefined) return undefined;
  const from = new Date(selection.since);
  // An id made by a client may carry a time up to a day before that of its storing.
  return { afterId: uuidFloor(from.getTime() - DAY_MS), from, to: createdAt };
}
