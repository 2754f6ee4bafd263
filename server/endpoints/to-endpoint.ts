import type { Endpoint, EndpointSettings } from "#contracts/endpoints.ts";
import { toId } from "#contracts/ids.ts";
import type { EndpointRow } from "#db/queries/endpoints.ts";
import { maskedHeaders } from "../domain/endpoint-headers.ts";
import { exactNumber } from "../domain/exact-number.ts";

/** An endpoint as answers show it; never its secret, nor what its headers hold. */
export function toEndpoint(row: EndpointRow): Endpoint {
  const { url, event_types, description, ...settings } = toSettings(row);
  return {
    id: toId("endpoint", row.id),
    url,
    description,
    event_types,
    ...settings,
    public_key: row.publicKey,
    status: row.status as Endpoint["status"],
    disabled_reason: row.disabledReason,
    version: exactNumber(row.version),
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  };
}

/** What of an endpoint can be changed, as it is shown. */
export function toSettings(row: EndpointRow): EndpointSettings {
  return {
    url: row.url,
    event_types: row.eventTypes,
    description: row.description,
    filter: row.filter,
    signature_format: row.signatureFormat as Endpoint["signature_format"],
    headers: maskedHeaders(row.headerNames),
    rate_limit: row.rateLimit,
    max_in_flight: row.maxInFlight,
    ordered: row.ordered,
    timeout_ms: row.timeoutMs,
    retry_policy: row.retryPolicy,
    asymmetric: row.publicKey !== null,
    metadata: row.metadata,
  };
}
