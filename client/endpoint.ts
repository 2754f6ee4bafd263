import { keepPreviousData, type QueryClient, queryOptions } from "@tanstack/react-query";
import { type DeliveryStatus, listDeliveries } from "#contracts/deliveries.ts";
import { listSecrets, revokeSecret, rotateSecret } from "#contracts/endpoint-secrets.ts";
import { getEndpointStats } from "#contracts/endpoint-stats.ts";
import { disableEndpoint, enableEndpoint, pauseEndpoint } from "#contracts/endpoint-status.ts";
import {
  createEndpoint,
  deleteEndpoint,
  type Endpoint,
  type EndpointPatch,
  getEndpoint,
  type NewEndpoint,
  patchEndpoint,
} from "#contracts/endpoints.ts";
import { createRecovery } from "#contracts/replays.ts";
import { sendTestEvent } from "#contracts/test-events.ts";
import { call } from "./api.ts";
import { type StatsRange, statsQueryOf } from "./stats-range.ts";

const STATS_FRESH_MS = 30_000;
const RECENT = "10";

export const endpointQuery = (tenantId: string, id: string) =>
  queryOptions({
    queryKey: ["endpoints", "one", tenantId, id],
    queryFn: ({ signal }) => call(getEndpoint, { tenantId, params: { id }, signal }),
  });

export const statsQuery = (tenantId: string, id: string, range: StatsRange) =>
  queryOptions({
    queryKey: ["endpoints", "stats", tenantId, id, range],
    queryFn: ({ signal }) =>
      call(getEndpointStats, { tenantId, params: { id }, query: statsQueryOf(range, Date.now()), signal }),
    staleTime: STATS_FRESH_MS,
    placeholderData: keepPreviousData,
  });

/** Its newest deliveries, of one status or of all. */
export const recentQuery = (tenantId: string, id: string, status?: DeliveryStatus) =>
  queryOptions({
    queryKey: ["endpoints", "recent", tenantId, id, status],
    queryFn: ({ signal }) =>
      call(listDeliveries, {
        tenantId,
        query: { endpoint_id: id, status, limit: status ? "100" : RECENT },
        signal,
      }),
  });

export const secretsQuery = (tenantId: string, id: string) =>
  queryOptions({
    queryKey: ["endpoints", "secrets", tenantId, id],
    queryFn: async ({ signal }) => (await call(listSecrets, { tenantId, params: { id }, signal })).items,
  });

/** Reads everything that is shown of endpoints anew. */
export const refreshEndpoints = (client: QueryClient): Promise<void> =>
  client.invalidateQueries({ queryKey: ["endpoints"] });

/** Writes an endpoint that was just changed wherever it is shown. */
export function noteEndpoint(client: QueryClient, tenantId: string, endpoint: Endpoint): void {
  client.setQueryData(endpointQuery(tenantId, endpoint.id).queryKey, endpoint);
  void client.invalidateQueries({ queryKey: ["endpoints", "list", tenantId] });
}

export const register = (tenantId: string, body: NewEndpoint, idempotencyKey: string) =>
  call(createEndpoint, { tenantId, body, idempotencyKey });

export const change = (
  tenantId: string,
  { id, version, patch }: { id: string; version: number; patch: EndpointPatch },
) => call(patchEndpoint, { tenantId, params: { id }, body: patch, ifMatch: version });

const STATUS_CALLS = { enable: enableEndpoint, pause: pauseEndpoint, disable: disableEndpoint };
export type StatusChange = keyof typeof STATUS_CALLS;

export const setStatus = (tenantId: string, id: string, to: StatusChange): Promise<Endpoint> =>
  call(STATUS_CALLS[to], { tenantId, params: { id } });

export const remove = (tenantId: string, id: string) => call(deleteEndpoint, { tenantId, params: { id } });

export const sendTest = (tenantId: string, id: string, type: string, idempotencyKey: string) =>
  call(sendTestEvent, { tenantId, params: { id }, body: { type }, idempotencyKey });

interface Recovery {
  since: string;
  includeMissing: boolean;
}

/** How many deliveries a recovery would send. Nothing is done. */
export async function countRecovery(tenantId: string, id: string, { since, includeMissing }: Recovery) {
  const body = { since, include_missing: includeMissing };
  const input = { tenantId, params: { id }, body, query: { dry_run: "true" } } as const;
  return (await call(createRecovery, input)).total;
}

/** Begins a recovery; gives its id. */
export async function recover(
  tenantId: string,
  id: string,
  { since, includeMissing, idempotencyKey }: Recovery & { idempotencyKey: string },
): Promise<string> {
  const body = { since, include_missing: includeMissing };
  const made = await call(createRecovery, { tenantId, params: { id }, body, idempotencyKey });
  return "id" in made ? made.id : "";
}

export const rotate = (tenantId: string, id: string, overlapSeconds: number, idempotencyKey: string) =>
  call(rotateSecret, { tenantId, params: { id }, body: { overlap_seconds: overlapSeconds }, idempotencyKey });

export const revoke = (tenantId: string, id: string, kid: string) =>
  call(revokeSecret, { tenantId, params: { id, kid } });
