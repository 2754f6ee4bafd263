import { useMutation, useQueries, useQuery, useQueryClient } from "@tanstack/react-query";
import { uuidv7 } from "uuidv7";
import { listDeliveries } from "#contracts/deliveries.ts";
import { call } from "./api.ts";
import { attemptsQuery } from "./deliveries.ts";
import { endpointQuery, refreshEndpoints, rotate, secretsQuery } from "./endpoint.ts";
import { liveOptions, useLiveInterval } from "./live.ts";
import { type Signed, signedBy } from "./rotation.ts";

const SLOW_MS = 5_000;
const WATCHED = "20";

/** The secrets of an endpoint, and how to replace the current one. */
export function useRotation(tenantId: string, id: string) {
  const client = useQueryClient();
  const liveMs = useLiveInterval();
  const live = liveOptions(liveMs === null ? null : Math.max(liveMs, SLOW_MS));
  return {
    endpoint: useQuery(endpointQuery(tenantId, id)),
    secrets: useQuery({ ...secretsQuery(tenantId, id), ...live }),
    rotating: useMutation({
      mutationFn: (overlapSeconds: number) => rotate(tenantId, id, overlapSeconds, uuidv7()),
      // What is shown once is not kept for longer than it is shown.
      gcTime: 0,
      onSuccess: () => refreshEndpoints(client),
    }),
  };
}

/** The newest deliveries that were made since a moment, each with how its last attempt was signed. */
export function useSignedSince(tenantId: string, id: string, since: string | undefined) {
  const liveMs = useLiveInterval();
  const recent = useQuery({
    queryKey: ["endpoints", "signed", tenantId, id, since],
    queryFn: ({ signal }) =>
      call(listDeliveries, { tenantId, query: { endpoint_id: id, from: since, limit: WATCHED }, signal }),
    enabled: since !== undefined,
    ...liveOptions(liveMs),
  });
  const tried = (recent.data?.items ?? []).filter(({ attempts }) => attempts > 0);
  const attempts = useQueries({ queries: tried.map((each) => attemptsQuery(tenantId, each.id, each)) });
  const signed = tried.flatMap((delivery, index): Signed[] => {
    const last = attempts[index]?.data?.at(-1);
    return last ? [signedBy(delivery, last)] : [];
  });
  return {
    signed,
    error: recent.error,
    isLoading: recent.isPending,
    hasMore: recent.data?.has_more === true,
  };
}
