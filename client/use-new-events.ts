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

/**
 * Looks for events that are newer than the list, without moving its rows. One event is read at each look: sequences have no
 * gaps, so that it tells how many came unless the list is narrowed.
 */
export function useNewEvents(tenantId: string, filters: EventFilters, isShown: boolean): NewEvents {
  const client = useQueryClient();
  const everyMs = useLiveInterval();
  const key = eventsKey(tenantId, filters);
  const show = async () => {
    const page = await readNewestEvents(tenantId, filters);
    client.setQueryData<Pages>(key, { pages: [page], pageParams: [undefined] });
  };
  const newest = useQuery({
    queryKey: ["events", "newest", tenantId, filters],
    queryFn: async ({ signal }) => {
      const { items } = await readNewestEvents(tenantId, filters, { signal, limit: "1" });
      const top = topOf(client.getQueryData<Pages>(key));
      // An empty list has no rows that could move.
      if (items.length > 0 && top === undefined) await show();
      return items[0]?.sequence ?? 0;
    },
    enabled: isShown && everyMs !== null,
    staleTime: 0,
    retry: false,
    ...liveOptions(everyMs),
  });
  const top = topOf(client.getQueryData<Pages>(key));
  const ahead = isShown && top !== undefined ? Math.max(0, (newest.data ?? 0) - top) : 0;
  const isExact = filters.type.length === 0;
  return { count: isExact ? ahead : Math.min(ahead, 1), isMore: !isExact && ahead > 1, show };
}

const topOf = (pages: Pages | undefined): number | undefined => pages?.pages[0]?.items[0]?.sequence;
