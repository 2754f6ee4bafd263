"use client";

import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { useEffect, useMemo } from "react";
import { deliveriesQuery } from "#client/deliveries.ts";
import { isFiltered } from "#client/delivery-filters.ts";
import { rowsOf } from "#client/delivery-rows.ts";
import { byId, endpointsQuery } from "#client/endpoints.ts";
import { noteListAddress } from "#client/list-address.ts";
import { useDeliveryFilters } from "#client/use-delivery-filters.ts";
import { useLiveDeliveries } from "#client/use-live-deliveries.ts";
import { useOpenDelivery } from "#client/use-open-delivery.ts";
import { useSelection } from "#client/use-selection.ts";
import { ListFoot } from "../list-foot.tsx";
import { PageHeader } from "../page-header.tsx";
import { ProblemAlert } from "../problem-alert.tsx";
import { useWorkspace } from "../workspace-context.tsx";
import classes from "./delivery-list.module.css";
import { DeliveryTable } from "./delivery-table.tsx";
import { ExportMenu } from "./export-menu.tsx";
import { FilterBar } from "./filter-bar.tsx";
import { ListActions } from "./list-actions.tsx";
import { ListEmpty } from "./list-empty.tsx";
import { NewBar } from "./new-bar.tsx";
import { ViewMenu } from "./view-menu.tsx";

// The list is there before what is opened from it.
const DeliveryDrawer = dynamic(() => import("./delivery-drawer.tsx").then((module) => module.DeliveryDrawer));

/** The page of all deliveries of a tenant. */
export function DeliveryList() {
  const { tenantId, href } = useWorkspace();
  const { filters, change, clear } = useDeliveryFilters();
  const list = useInfiniteQuery(deliveriesQuery(tenantId, filters));
  const { data: endpoints = [], isSuccess: hasEndpoints } = useQuery(endpointsQuery(tenantId));
  const endpointsById = useMemo(() => byId(endpoints), [endpoints]);
  const rows = useMemo(() => rowsOf(list.data), [list.data]);
  const selection = useSelection(rows, JSON.stringify([tenantId, filters]));
  // Under a selection nothing changes by itself.
  const isLive = list.isSuccess && !list.isPlaceholderData && selection.ids.size === 0;
  const opened = useOpenDelivery();
  const live = useLiveDeliveries(tenantId, filters, isLive);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the address follows the filters.
  useEffect(() => noteListAddress(tenantId, href("/deliveries")), [tenantId, href, filters]);

  return (
    <>
      <PageHeader title="Deliveries">Each is one event on its way to one endpoint.</PageHeader>
      <FilterBar filters={filters} endpoints={endpoints} rows={rows} onChange={change} onClear={clear}>
        <ViewMenu filters={filters} onChoose={change} />
        <ExportMenu filters={filters} endpoints={endpointsById} />
      </FilterBar>
      {list.error && !list.data ? (
        <ProblemAlert error={list.error} onRetry={() => void list.refetch()} />
      ) : (
        <div className={classes.list} data-dimmed={list.isPlaceholderData || undefined}>
          <NewBar count={live.newCount} isMore={live.hasMoreNew} onShow={live.showNew} />
          <ListActions
            rows={rows}
            hasMore={list.hasNextPage}
            selection={selection}
            filters={filters}
            endpoints={endpoints}
          />
          <DeliveryTable
            rows={rows}
            endpoints={endpointsById}
            isLoading={list.isPending}
            selection={selection}
            openId={opened.id}
            onOpen={opened.open}
          />
          {list.isSuccess && rows.length === 0 && (
            <ListEmpty
              isFiltered={isFiltered(filters)}
              hasEndpoints={!hasEndpoints || endpoints.length > 0}
              onClear={clear}
            />
          )}
        </div>
      )}
      <ListFoot list={list} shown={rows.length} nouns={["delivery", "deliveries"]} />
      {opened.id !== null && (
        <DeliveryDrawer id={opened.id} rows={rows} onExchange={opened.exchange} onClose={opened.close} />
      )}
    </>
  );
}
