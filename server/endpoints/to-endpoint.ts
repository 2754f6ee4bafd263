import type { Endpoint } from "#contracts/endpoints.ts";
import { toId } from "#contracts/ids.ts";
import type { EndpointRow } from "#db/queries/endpoints.ts";
import { exactNumber } from "../domain/exact-number.ts";

/** An endpoint as answers show it; never its secret. */
export function toEndpoint(row: EndpointRow): Endpoint {
  return {
    id: toId("endpoint", row.id),
    url: row.url,
    description: row.description,
    event_types: row.eventTypes,
    signature_format: row.signatureFormat as Endpoint["signature_format"],
    status: row.status as Endpoint["status"],
    disabled_reason: row.disabledReason,
    timeout_ms: row.timeoutMs,
    max_in_flight: row.maxInFlight,
    version: exactNumber(row.version),
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  };
}
