import { queryOptions } from "@tanstack/react-query";
import { type Endpoint, listEndpoints } from "#contracts/endpoints.ts";
import { call, readAll } from "./api.ts";

const MAX_PAGES = 10;
/** How long what is known of endpoints may be shown before it is read again. */
export const ENDPOINTS_FRESH_MS = 30_000;

/** The webhook endpoints of a tenant, newest first. */
export const endpointsQuery = (tenantId: string) =>
  queryOptions({
    queryKey: ["endpoints", "list", tenantId],
    queryFn: ({ signal }) =>
      readAll(
        (after) => call(listEndpoints, { tenantId, query: { limit: "100", after }, signal }),
        MAX_PAGES,
      ),
    staleTime: ENDPOINTS_FRESH_MS,
  });

/** A URL as people tell endpoints apart: `host` first, what follows it apart. */
export function partsOfUrl(url: string): { host: string; path: string } {
  if (!URL.canParse(url)) return { host: url, path: "" };
  const { host, pathname, search } = new URL(url);
  return { host, path: pathname === "/" && search === "" ? "" : pathname + search };
}

export type EndpointsById = ReadonlyMap<string, Endpoint>;

export const byId = (endpoints: readonly Endpoint[]): EndpointsById =>
  new Map(endpoints.map((endpoint) => [endpoint.id, endpoint]));
