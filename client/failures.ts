import { queryOptions } from "@tanstack/react-query";
import { type FailureGroup, listFailures } from "#contracts/failures.ts";
import { call } from "./api.ts";
import { type Filters, NO_FILTERS } from "./delivery-filters.ts";

/** What has failed for good, by endpoint and reason. */
export const failuresQuery = (tenantId: string) =>
  queryOptions({
    queryKey: ["failures", tenantId, "groups"],
    queryFn: ({ signal }) => call(listFailures, { tenantId, signal }),
  });

/** The filters that select a group. */
export const filtersOf = (group: FailureGroup): Filters => ({
  ...NO_FILTERS,
  status: ["failed"],
  endpoint: group.endpoint_id,
  reason: group.failure_reason === null ? [] : [group.failure_reason],
});

/** The path of the list of a group's deliveries. */
export function pathOfGroup(group: FailureGroup): string {
  const reason = group.failure_reason === null ? "" : `&reason=${encodeURIComponent(group.failure_reason)}`;
  return `/deliveries?status=failed&endpoint=${group.endpoint_id}${reason}`;
}
