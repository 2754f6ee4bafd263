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
import { type Bounds, boundsOf, type Filters, toQuery } from "./delivery-filters.ts";
import { type Pages, patchPages } from "./delivery-rows.ts";

const MAX_ATTEMPT_PAGES = 10;

interface Position {
  after?: string;
  bounds: Bounds;
}

/** A page of the list, with the bounds that its cursor is bound to. */
export type DeliveryPage = Page<Delivery> & { bounds: Bounds };

export const listKey = (tenantId: string, filters: Filters) =>
  ["deliveries", "list", tenantId, filters] as const;

/** The newest page that matches, as of now. */
export async function readNewest(
  tenantId: string,
  filters: Filters,
  signal: AbortSignal,
): Promise<DeliveryPage> {
  return readPage(tenantId, filters, { bounds: boundsOf(filters, Date.now()) }, signal);
}

async function readPage(
  tenantId: string,
  filters: Filters,
  { after, bounds }: Position,
  signal: AbortSignal,
): Promise<DeliveryPage> {
  const query = { ...toQuery(filters, bounds), after };
  return { ...(await call(listDeliveries, { tenantId, query, signal })), bounds };
}

/** Everything that matches, page by page, newest first, as of the first page. */
export async function* readMatching(
  tenantId: string,
  filters: Filters,
  signal: AbortSignal,
): AsyncGenerator<Delivery[]> {
  const query = { ...toQuery(filters, boundsOf(filters, Date.now())), limit: "100" };
  for (let after: string | undefined; ; ) {
    const page = await call(listDeliveries, { tenantId, query: { ...query, after }, signal });
    yield page.items;
    if (!page.has_more || page.next_cursor === null) return;
    after = page.next_cursor;
  }
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
      page.has_more && page.next_cursor ? { after: page.next_cursor, bounds: page.bounds } : undefined,
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
