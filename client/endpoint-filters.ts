import { type inferParserType, parseAsArrayOf, parseAsString, parseAsStringLiteral } from "nuqs";
import type { Endpoint } from "#contracts/endpoints.ts";
import { ENDPOINT_STATES, type EndpointState } from "./endpoint-state.ts";

/** The filters of the list of endpoints as the address bar holds them. */
export const endpointFilterParsers = {
  status: parseAsArrayOf(parseAsStringLiteral(ENDPOINT_STATES)).withDefault([]),
  q: parseAsString.withDefault(""),
};
export type EndpointFilters = inferParserType<typeof endpointFilterParsers>;

/** The endpoints that match, in their order: by state, and by a part of the URL, the description or the id. */
export function matching(
  endpoints: readonly Endpoint[],
  { status, q }: EndpointFilters,
  stateById: (id: string) => EndpointState,
): Endpoint[] {
  const wanted = q.trim().toLowerCase();
  return endpoints.filter(({ id, url, description }) => {
    if (status.length > 0 && !status.includes(stateById(id))) return false;
    return [id, url, description ?? ""].some((text) => text.toLowerCase().includes(wanted));
  });
}
