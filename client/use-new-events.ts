import { type InfiniteData, useQuery, useQueryClient } from "@tanstack/react-query";
import { type EventFilters, type EventPage, eventsKey, readNewestEvents } from "./events.ts";
import { liveOptions, useLiveInterval } from "./live.ts";

type Pages = InfiniteData<EventPage>;

/** How many events have come since a list was read, and how to put them on screen. */
export interface NewEvents {
  count: number;
  /** Whether there may be more than `count`. */
  isMore: boolean;
  show: () => Promise<void>;
}

// Of a narrowed list the newest have to be counted; of the whole feed one tells, since sequences have no gaps.
const COUNTED = 20;

/** Looks for events that are newer than the list, without moving its rows. */
export function useNewEvents(tenantId: string, filters: EventFilters, isShown: boolean): NewEvents {
  const client = useQueryClient();
  const everyMs = useLiveInterval();
  const key = eventsKey(tenantId, filters);
  const isWhole = filters.type.length === 0;
  const show = async () => {
    const page = await readNewestEvents(tenantId, filters);
    client.setQueryData<Pages>(key, { pages: [page], pageParams: [undefined] });
  };
  const newest = useQuery({
    queryKey: ["events", "newest", tenantId, filters],
    queryFn: async ({ signal }) => {
      const limit = String(isWhole ? 1 : COUNTED);
      const { items } = await readNewestEvents(tenantId, filters, { signal, limit });
      const top = topOf(client.getQueryData<Pages>(key));
      // An empty list has no rows that could move.
      if (items.length > 0 && top === undefined) await show();
      return items.map(({ sequence }) => sequence);
    },
    enabled: isShown && everyMs !== null,
    staleTime: 0,
    retry: false,
    ...liveOptions(everyMs),
  });
  const top = topOf(client.getQueryData<Pages>(key));
  const newer = isShown && top !== undefined ? (newest.data ?? []).filter((sequence) => sequence > top) : [];
  const count = isWhole && newer[0] !== undefined && top !== undefined ? newer[0] - top : newer.length;
  return { count, isMore: !isWhole && count === COUNTED, show };
}

const topOf = (pages: Pages | undefined): number | undefined => pages?.pages[0]?.items[0]?.sequence;
