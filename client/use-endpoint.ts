import { useQuery } from "@tanstack/react-query";
import { endpointQuery, recentQuery, secretsQuery, statsQuery } from "./endpoint.ts";
import { liveOptions, useLiveInterval } from "./live.ts";
import type { StatsRange } from "./stats-range.ts";

const SLOW_MS = 10_000;

/** One endpoint with all that is shown of it, kept true as the live control says. */
export function useEndpoint(tenantId: string, id: string, range: StatsRange) {
  const liveMs = useLiveInterval();
  const live = liveOptions(liveMs);
  const slowly = liveOptions(liveMs === null ? null : Math.max(liveMs, SLOW_MS));
  const endpoint = useQuery({ ...endpointQuery(tenantId, id), ...live });
  const enabled = endpoint.data !== undefined;
  return {
    endpoint,
    stats: useQuery({ ...statsQuery(tenantId, id, range), ...slowly, enabled }),
    secrets: useQuery({ ...secretsQuery(tenantId, id), ...slowly, enabled }),
    pending: useQuery({ ...recentQuery(tenantId, id, "pending"), ...slowly, enabled }),
    recent: useQuery({ ...recentQuery(tenantId, id), ...live, enabled }),
  };
}
