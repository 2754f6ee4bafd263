import {
  infiniteQueryOptions,
  keepPreviousData,
  type QueryClient,
  queryOptions,
} from "@tanstack/react-query";
import {
  type Delivery,
  getDelivery,
  listAttempts,
  listDeliveries,
  replayDelivery,
} from "#contracts/deliveries.ts";
import type { Page } from "#contracts/page.ts";
import { call, readAll } from "./api.ts";
import { type Filters, toQuery, windowStart } from "./delivery-filters.ts";
import { type Pages, patchPages } from "./delivery-rows.ts";

const MAX_ATTEMPT_PAGES = 10;

interface Position {
  after?: string;
  from?: string;
}

/** A page of the list, with the start of the window that its cursor is bound to. */
export type DeliveryPage = Page<Delivery> & { from?: string };

export const listKey = (tenantId: string, filters: Filters) =>
  ["deliveries", "list", tenantId, filters] as const;

/** The newest page that matches, as of now. */
export async function readNewest(
  tenantId: string,
  filters: Filters,
  signal: AbortSignal,
): Promise<DeliveryPage> {
  return readPage(tenantId, filters, { from: windowStart(filters, Date.now()) }, signal);
}

async function readPage(tenantId: string, filters: Filters, at: Position, signal: AbortSignal) {
  const query = { ...toQuery(filters, at.from), after: at.after };
  return { ...(await call(listDeliveries, { tenantId, query, signal })), from: at.from };
}

/**
 * The list, newest first. It never reads again by itself, so that rows stay where they are: `useLiveDeliveries` patches
 * what changed and counts what is new.
 */
export const deliveriesQuery = (tenantId: string, filters: Filters) =>
  infiniteQueryOptions({
    queryKey: listKey(tenantId, filters),
    queryFn: ({ pageParam, signal }) =>
      pageParam ? readPage(tenantId, filters, pageParam, signal) : readNewest(tenantId, filters, signal),
    initialPageParam: undefined as Position | undefined,
    getNextPageParam: (page): Position | undefined =>
      page.has_more && page.next_cursor ? { after: page.next_cursor, from: page.from } : undefined,
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
  });

export const deliveryQuery = (tenantId: string, id: string) =>
  queryOptions({
    queryKey: ["deliveries", "one", tenantId, id],
    queryFn: ({ signal }) => call(getDelivery, { tenantId, params: { id }, signal }),
  });

/** The attempts, first to last. They are read anew whenever the delivery has moved on. */
export const attemptsQuery = (tenantId: string, id: string, delivery: Delivery | undefined) =>
  queryOptions({
    queryKey: ["deliveries", "attempts", tenantId, id, delivery?.attempts, delivery?.status],
    queryFn: ({ signal }) =>
      readAll(
        (after) => call(listAttempts, { tenantId, params: { id }, query: { limit: "100", after }, signal }),
        MAX_ATTEMPT_PAGES,
      ),
    enabled: delivery !== undefined,
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
  });

/** Sends a delivery again. `idempotencyKey` is made once for each wish of a person, so that a repeat does nothing more. */
export const replay = (tenantId: string, id: string, idempotencyKey: string): Promise<Delivery> =>
  call(replayDelivery, { tenantId, params: { id }, idempotencyKey });

/** Writes what is known newly of deliveries wherever they are shown. */
export function patchDeliveries(client: QueryClient, tenantId: string, fresh: readonly Delivery[]): void {
  if (fresh.length === 0) return;
  client.setQueriesData<Pages>({ queryKey: ["deliveries", "list", tenantId] }, (pages) =>
    pages ? patchPages(pages, fresh) : pages,
  );
}
