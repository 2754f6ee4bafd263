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

/** The filters of the deliveries list as the address bar holds them. */
export const filterParsers = {
  status: parseAsArrayOf(parseAsStringLiteral(DELIVERY_STATUSES)).withDefault([]),
  endpoint: parseAsString,
  event: parseAsString,
  type: parseAsArrayOf(parseAsString).withDefault([]),
  window: parseAsStringLiteral(WINDOW_NAMES),
  q: parseAsString,
};
export type Filters = inferParserType<typeof filterParsers>;

export const NO_FILTERS: Filters = {
  status: [],
  endpoint: null,
  event: null,
  type: [],
  window: null,
  q: null,
};

export const isFiltered = (filters: Filters): boolean =>
  Object.values(filters).some((value) => value !== null && value.length > 0);

/** The API's filters. `from` is fixed when a list is begun, since its cursors are bound to it. */
export function toQuery(filters: Filters, from: string | undefined) {
  return {
    status: filters.status.length > 0 ? filters.status : undefined,
    event_type: filters.type.length > 0 ? filters.type : undefined,
    endpoint_id: filters.endpoint ?? undefined,
    event_id: filters.event ?? undefined,
    q: filters.q ?? undefined,
    from,
  };
}

/** The start of the filters' time window as of `nowMs`. */
export function windowStart(filters: Filters, nowMs: number): string | undefined {
  return filters.window ? new Date(nowMs - WINDOWS[filters.window].ms).toISOString() : undefined;
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
