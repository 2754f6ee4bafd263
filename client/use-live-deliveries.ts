import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { Delivery } from "#contracts/deliveries.ts";
import { type DeliveryPage, deliveryQuery, listKey, patchDeliveries, readNewest } from "./deliveries.ts";
import type { Filters } from "./delivery-filters.ts";
import { countNew, dueRows, type Pages, rowsOf } from "./delivery-rows.ts";
import { liveOptions, useLiveInterval } from "./live.ts";

const MAX_SINGLE_READS = 20;

export interface LiveDeliveries {
  /** How many deliveries have come since the list was read. */
  newCount: number;
  /** Whether there are more new ones than one page tells. */
  hasMoreNew: boolean;
  /** Puts them on screen: the list begins anew with the newest page. */
  showNew: () => void;
}

/**
 * Keeps a list that is on screen true without moving its rows: each look patches the rows that changed in place, and
 * only counts what is new.
 */
export function useLiveDeliveries(tenantId: string, filters: Filters, isShown: boolean): LiveDeliveries {
  const client = useQueryClient();
  const everyMs = useLiveInterval();
  const key = listKey(tenantId, filters);
  const rows = () => rowsOf(client.getQueryData<Pages>(key));
  const begin = (page: DeliveryPage) =>
    client.setQueryData<Pages>(key, { pages: [page], pageParams: [undefined] });

  const { data: newest } = useQuery({
    queryKey: ["deliveries", "newest", tenantId, filters],
    queryFn: async ({ signal }) => {
      const page = await readNewest(tenantId, filters, signal);
      const at = { nowMs: Date.now(), withinMs: everyMs ?? 0, max: MAX_SINGLE_READS };
      const due = dueRows(rows(), page.items, at).map((row) =>
        client.fetchQuery({ ...deliveryQuery(tenantId, row.id), staleTime: 0, retry: false }),
      );
      const found = (await Promise.allSettled(due)).flatMap((one) =>
        one.status === "fulfilled" ? [one.value] : ([] as Delivery[]),
      );
      patchDeliveries(client, tenantId, [...page.items, ...found]);
      // An empty list has no rows that could move.
      if (rows().length === 0 && page.items.length > 0) begin(page);
      return page;
    },
    enabled: isShown && everyMs !== null,
    staleTime: 0,
    retry: false,
    ...liveOptions(everyMs),
  });

  const newCount = isShown && newest ? countNew(rows(), newest.items) : 0;
  return {
    newCount,
    hasMoreNew: newest?.has_more === true && newCount === newest.items.length,
    showNew: () => newest && begin(newest),
  };
}
