import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import { type inferParserType, parseAsArrayOf, parseAsString, parseAsStringLiteral } from "nuqs";
import { listDeliveries } from "#contracts/deliveries.ts";
import { type Event, expungeEventData, getEvent, listEvents } from "#contracts/events.ts";
import type { Page } from "#contracts/page.ts";
import { call, callText, readAll } from "./api.ts";
import { WINDOW_NAMES, WINDOWS } from "./delivery-filters.ts";

/** An event as it is read back; without data since that was expunged. */
export type StoredEvent = Omit<Event, "data"> & { data: Event["data"] | null; expunged_at?: string };
export type EventPage = Page<StoredEvent> & { from?: string };

/** The filters of the events list as the address bar holds them. */
export const eventFilterParsers = {
  type: parseAsArrayOf(parseAsString).withDefault([]),
  window: parseAsStringLiteral(WINDOW_NAMES),
};
export type EventFilters = inferParserType<typeof eventFilterParsers>;
export const NO_EVENT_FILTERS: EventFilters = { type: [], window: null };
export const isEventFiltered = ({ type, window }: EventFilters): boolean =>
  type.length > 0 || window !== null;

interface Position {
  after?: string | undefined;
  /** The start of the window, fixed when the list is begun: its cursors are bound to it. */
  from?: string | undefined;
}

// A look for what is rare may come back with nothing and a way on.
const MAX_LOOKS = 20;
const PAGE_SIZE = "50";

export const eventsKey = (tenantId: string, filters: EventFilters) =>
  ["events", "list", tenantId, filters] as const;

const begin = ({ window }: EventFilters, nowMs: number): Position =>
  window ? { from: new Date(nowMs - WINDOWS[window].ms).toISOString() } : {};

/** The newest events that match, as of now. */
export function readNewestEvents(
  tenantId: string,
  filters: EventFilters,
  { signal, limit = PAGE_SIZE }: { signal?: AbortSignal; limit?: string } = {},
): Promise<EventPage> {
  return readPage({ tenantId, filters, limit, signal }, begin(filters, Date.now()));
}

async function readPage(
  of: { tenantId: string; filters: EventFilters; limit: string; signal?: AbortSignal | undefined },
  { after, from }: Position,
): Promise<EventPage> {
  const { tenantId, filters, limit, signal } = of;
  const type = filters.type.length > 0 ? filters.type : undefined;
  let page: Page<StoredEvent> | undefined;
  for (let looks = 0; looks < MAX_LOOKS; looks++) {
    const query = { order: "desc" as const, limit, type, from, after: page?.next_cursor ?? after };
    page = await call(listEvents, { tenantId, query, ...(signal ? { signal } : {}) });
    if (page.items.length > 0 || !page.has_more) break;
  }
  if (!page) throw new Error("there is always a first look");
  return from === undefined ? page : { ...page, from };
}

/** The events of a tenant, newest first. It never reads again by itself: `useNewEvents` counts what is new. */
export const eventsQuery = (tenantId: string, filters: EventFilters) =>
  infiniteQueryOptions({
    queryKey: eventsKey(tenantId, filters),
    queryFn: ({ pageParam, signal }) =>
      pageParam
        ? readPage({ tenantId, filters, limit: PAGE_SIZE, signal }, pageParam)
        : readNewestEvents(tenantId, filters, { signal }),
    initialPageParam: undefined as Position | undefined,
    getNextPageParam: (page): Position | undefined =>
      page.has_more && page.next_cursor ? { after: page.next_cursor, from: page.from } : undefined,
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
  });

/** One event with its text, letter for letter. */
export const eventQuery = (tenantId: string, id: string) =>
  queryOptions({
    queryKey: ["events", "one", tenantId, id],
    queryFn: async ({ signal }) => {
      const text = await callText(getEvent, { tenantId, params: { id }, signal });
      return { text, event: JSON.parse(text) as StoredEvent };
    },
    // What was published never changes; what was expunged is read anew then.
    staleTime: Number.POSITIVE_INFINITY,
  });

const MAX_FAN_OUT_PAGES = 5;

/** The deliveries that an event made, newest first. */
export const fanOutQuery = (tenantId: string, eventId: string) =>
  queryOptions({
    queryKey: ["events", "fan-out", tenantId, eventId],
    queryFn: ({ signal }) =>
      readAll(
        (after) =>
          call(listDeliveries, { tenantId, query: { event_id: eventId, limit: "100", after }, signal }),
        MAX_FAN_OUT_PAGES,
      ),
  });

/** Erases what an event carries; it cannot be undone. */
export const expunge = (tenantId: string, id: string): Promise<undefined> =>
  call(expungeEventData, { tenantId, params: { id } });
