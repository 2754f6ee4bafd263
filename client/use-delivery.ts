import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import { uuidv7 } from "uuidv7";
import type { Attempt, Delivery } from "#contracts/deliveries.ts";
import type { Endpoint } from "#contracts/endpoints.ts";
import { isPassing } from "#sdk/api-problem.ts";
import { attemptsQuery, deliveryQuery, patchDeliveries, replay } from "./deliveries.ts";
import { isMoving } from "./delivery-rows.ts";
import { endpointsQuery } from "./endpoints.ts";
import { liveOptions, useLiveInterval } from "./live.ts";

const AWAITED_EVERY_MS = 1_000;
const SETTLED_EVERY_MS = 15_000;
const MAX_REPLAY_RETRIES = 2;

/** One delivery with all that belongs to it, kept true as the live control says. */
export function useDelivery(tenantId: string, id: string) {
  const client = useQueryClient();
  const liveMs = useLiveInterval();
  const [awaited, setAwaited] = useState<number | null>(null);
  const delivery = useQuery({
    ...deliveryQuery(tenantId, id),
    ...liveOptions(liveMs),
    refetchInterval: ({ state }) => lookAgainMs(state.data, { liveMs, awaited }),
  });
  const attempts = useQuery(attemptsQuery(tenantId, id, delivery.data));
  const endpoints = useQuery(endpointsQuery(tenantId));

  // Attempts that are newer than the delivery tell that it has moved on.
  const isBehind = (attempts.data?.at(-1)?.number ?? 0) > (delivery.data?.attempts ?? 0);
  const { refetch } = delivery;
  useEffect(() => {
    if (isBehind) void refetch();
  }, [isBehind, refetch]);

  useEffect(() => {
    if (delivery.data) patchDeliveries(client, tenantId, [delivery.data]);
  }, [client, tenantId, delivery.data]);

  const replaying = useMutation({
    // The key is the click's: a repeat after a lost answer is the same replay.
    mutationFn: (key: string) => replay(tenantId, id, key),
    retry: (failures, error) => failures < MAX_REPLAY_RETRIES && isPassing(error),
    onSuccess: (accepted) => {
      client.setQueryData(deliveryQuery(tenantId, id).queryKey, accepted);
      setAwaited(accepted.attempts + 1);
    },
    onError: () => delivery.refetch(),
  });

  return {
    delivery,
    attempts,
    endpoint: useMemo(() => endpointOf(delivery.data, endpoints.data), [delivery.data, endpoints.data]),
    replay: {
      ask: () => replaying.mutate(uuidv7()),
      isAsking: replaying.isPending,
      error: replaying.error,
      /** Of the attempt that the replay makes, once it was accepted. */
      number: awaited,
      result: attempts.data?.find((attempt: Attempt) => attempt.number === awaited) ?? null,
    },
  };
}

/** `undefined` while it is not known, `null` when there is none any more. */
function endpointOf(
  delivery: Delivery | undefined,
  endpoints: readonly Endpoint[] | undefined,
): Endpoint | null | undefined {
  if (!delivery || !endpoints) return undefined;
  return endpoints.find((endpoint) => endpoint.id === delivery.endpoint_id) ?? null;
}

/** What a person has asked for is followed to its result, paused or not; the rest is as live as they chose. */
function lookAgainMs(
  delivery: Delivery | undefined,
  { liveMs, awaited }: { liveMs: number | null; awaited: number | null },
): number | false {
  if (delivery && awaited !== null && delivery.attempts < awaited) return AWAITED_EVERY_MS;
  if (liveMs === null) return false;
  return delivery && isMoving(delivery) ? liveMs : Math.max(liveMs, SETTLED_EVERY_MS);
}
