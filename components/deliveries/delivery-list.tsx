"use client";

import { Button } from "@mantine/core";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import { deliveriesQuery } from "#client/deliveries.ts";
import { isFiltered } from "#client/delivery-filters.ts";
import { rowsOf } from "#client/delivery-rows.ts";
import { byId, endpointsQuery } from "#client/endpoints.ts";
import { counted } from "#client/format.ts";
import { noteListAddress } from "#client/list-address.ts";
import { useDeliveryFilters } from "#client/use-delivery-filters.ts";
import { useLiveDeliveries } from "#client/use-live-deliveries.ts";
import { useAnnounce } from "../announcer.tsx";
import { useConsole } from "../console-context.tsx";
import { PageHeader } from "../page-header.tsx";
import { ProblemAlert } from "../problem-alert.tsx";
import classes from "./delivery-list.module.css";
import { DeliveryTable } from "./delivery-table.tsx";
import { FilterBar } from "./filter-bar.tsx";
import { ListEmpty } from "./list-empty.tsx";
import { NewBar } from "./new-bar.tsx";

/** The page of all deliveries of a tenant. */
export function DeliveryList() {
  const { tenantId } = useConsole();
  const { filters, change, clear } = useDeliveryFilters();
  const list = useInfiniteQuery(deliveriesQuery(tenantId, filters));
  const { data: endpoints } = useQuery(endpointsQuery(tenantId));
  const endpointsById = useMemo(() => byId(endpoints ?? []), [endpoints]);
  const live = useLiveDeliveries(tenantId, filters, list.isSuccess && !list.isPlaceholderData);
  const rows = useMemo(() => rowsOf(list.data), [list.data]);
  const isEmpty = list.isSuccess && rows.length === 0;
  const loadMore = useLoadMore(list, rows.length);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the address follows the filters.
  useEffect(() => noteListAddress(tenantId), [tenantId, filters]);

  return (
    <>
      <PageHeader title="Deliveries">Each is one event on its way to one endpoint.</PageHeader>
      <FilterBar
        filters={filters}
        endpoints={endpoints ?? []}
        rows={rows}
        onChange={change}
        onClear={clear}
      />
      {list.error && !list.data ? (
        <ProblemAlert error={list.error} onRetry={() => void list.refetch()} />
      ) : (
        <div className={classes.list} data-dimmed={list.isPlaceholderData || undefined}>
          <NewBar count={live.newCount} isMore={live.hasMoreNew} onShow={live.showNew} />
          <DeliveryTable rows={rows} endpoints={endpointsById} isLoading={list.isPending} />
          {isEmpty && (
            <ListEmpty
              isFiltered={isFiltered(filters)}
              hasEndpoints={endpoints?.length !== 0}
              onClear={clear}
            />
          )}
        </div>
      )}
      {list.isFetchNextPageError && <ProblemAlert error={list.error} onRetry={loadMore} />}
      {rows.length > 0 && (
        <div className={classes.foot}>
          <span>{counted(rows.length, "delivery", "deliveries")} shown</span>
          {list.hasNextPage && (
            <Button size="xs" variant="default" loading={list.isFetchingNextPage} onClick={loadMore}>
              Load more
            </Button>
          )}
        </div>
      )}
    </>
  );
}

function useLoadMore(
  list: { fetchNextPage: () => Promise<{ data?: Parameters<typeof rowsOf>[0] }> },
  shown: number,
): () => void {
  const announce = useAnnounce();
  return () =>
    void list.fetchNextPage().then(({ data }) => announce(`${rowsOf(data).length - shown} more deliveries`));
}
