import { type inferParserType, parseAsArrayOf, parseAsString, parseAsStringLiteral } from "nuqs";
import { DELIVERY_STATUSES } from "#contracts/deliveries.ts";
import { fromId, type IdKind } from "#contracts/ids.ts";

const HOUR_MS = 3_600_000;

/** The time windows of the list; the longest is the default retention. */
export const WINDOWS = {
  "1h": { label: "Last hour", ms: HOUR_MS },
  "24h": { label: "Last 24 hours", ms: 24 * HOUR_MS },
  "7d": { label: "Last 7 days", ms: 7 * 24 * HOUR_MS },
  "30d": { label: "Last 30 days", ms: 30 * 24 * HOUR_MS },
} as const;
export type Window = keyof typeof WINDOWS;
export const WINDOW_NAMES = Object.keys(WINDOWS) as Window[];

/** How old a delivery may be made to be at least: what still waits then is slow. */
export const AGES = {
  "10m": { label: "Older than 10 minutes", ms: 600_000 },
  "1h": { label: "Older than 1 hour", ms: HOUR_MS },
} as const;
export type Age = keyof typeof AGES;
export const AGE_NAMES = Object.keys(AGES) as Age[];

/** The filters of the deliveries list as the address bar holds them. */
export const filterParsers = {
  status: parseAsArrayOf(parseAsStringLiteral(DELIVERY_STATUSES)).withDefault([]),
  endpoint: parseAsString,
  event: parseAsString,
  type: parseAsArrayOf(parseAsString).withDefault([]),
  /** Why they failed: `error_code`s. */
  reason: parseAsArrayOf(parseAsString).withDefault([]),
  window: parseAsStringLiteral(WINDOW_NAMES),
  older: parseAsStringLiteral(AGE_NAMES),
  q: parseAsString,
};
export type Filters = inferParserType<typeof filterParsers>;

export const NO_FILTERS: Filters = {
  status: [],
  endpoint: null,
  event: null,
  type: [],
  reason: [],
  window: null,
  older: null,
  q: null,
};

export const isFiltered = (filters: Filters): boolean =>
  Object.values(filters).some((value) => value !== null && value.length > 0);

/** From when to when deliveries were created. */
export interface Bounds {
  from?: string | undefined;
  /** Excluded. */
  to?: string | undefined;
}

/** The API's filters. The bounds are fixed when a list is begun, since its cursors are bound to them. */
export function toQuery(filters: Filters, { from, to }: Bounds) {
  return {
    status: filters.status.length > 0 ? filters.status : undefined,
    event_type: filters.type.length > 0 ? filters.type : undefined,
    failure_reason: filters.reason.length > 0 ? filters.reason : undefined,
    endpoint_id: filters.endpoint ?? undefined,
    event_id: filters.event ?? undefined,
    q: filters.q ?? undefined,
    from,
    to,
  };
}

/** The bounds that the filters mean as of `nowMs`. */
export function boundsOf(filters: Filters, nowMs: number): Bounds {
  const before = (ms: number) => new Date(nowMs - ms).toISOString();
  return {
    from: filters.window ? before(WINDOWS[filters.window].ms) : undefined,
    to: filters.older ? before(AGES[filters.older].ms) : undefined,
  };
}

/** What a text in the search box asks for: the page of a delivery, or a filter. */
export type Search = { open: string } | { filter: Partial<Pick<Filters, "event" | "endpoint" | "q">> };

/** A pasted id leads to its thing; any other text is looked for in the bodies of events. */
export function searchFor(text: string): Search {
  const wanted = text.trim();
  const is = (kind: IdKind) => fromId(kind, wanted.toLowerCase()) !== undefined;
  if (is("delivery")) return { open: wanted.toLowerCase() };
  if (is("event")) return { filter: { event: wanted.toLowerCase(), q: null } };
  if (is("endpoint")) return { filter: { endpoint: wanted.toLowerCase(), q: null } };
  return { filter: { q: wanted === "" ? null : wanted } };
}
