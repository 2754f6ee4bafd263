import type { Attempt, Delivery, DeliveryStatus } from "#contracts/deliveries.ts";
import { toId } from "#contracts/ids.ts";
import type { AttemptRow } from "#db/queries/attempts.ts";
import type { DeliveryRow } from "#db/queries/deliveries.ts";
import { deliveryLinks } from "../domain/deliveries.ts";
import { requestHeaders, type SentParts } from "./request-headers.ts";

/** A delivery as the API shows it; `prefix` is that of the deployment (`/api/v1`). */
export function toDelivery(row: DeliveryRow, prefix: string): Delivery {
  const id = toId("delivery", row.id);
  const status = row.status as DeliveryStatus;
  const self = `${prefix}/deliveries/${id}`;
  return {
    id,
    event_id: toId("event", row.eventId),
    event_type: row.eventType,
    endpoint_id: toId("endpoint", row.endpointId),
    status,
    attempts: row.attempts,
    next_attempt_at: row.nextAttemptAt?.toISOString() ?? null,
    failure_class: row.failureClass as Delivery["failure_class"],
    failure_reason: row.failureReason,
    created_at: row.createdAt.toISOString(),
    delivered_at: row.deliveredAt?.toISOString() ?? null,
    links: deliveryLinks(status, self),
  };
}

/** An attempt as it was sent and as it was answered. */
export function toAttempt(
  row: AttemptRow,
  of: { deliveryId: string; eventType: string; body: string },
): Attempt {
  const parts = row.requestHeaders === null ? undefined : (JSON.parse(row.requestHeaders) as SentParts);
  const subject = { deliveryId: of.deliveryId, eventType: of.eventType, attempt: row.number };
  return {
    id: toId("attempt", row.id),
    delivery_id: toId("delivery", of.deliveryId),
    number: row.number,
    trigger: row.trigger as Attempt["trigger"],
    started_at: row.startedAt.toISOString(),
    duration_ms: row.durationMs,
    outcome: row.outcome as Attempt["outcome"],
    error_code: row.errorCode,
    request: {
      method: "POST",
      url: row.url,
      headers: parts ? requestHeaders(subject, parts) : {},
      body: of.body,
    },
    response:
      row.responseStatus === null
        ? null
        : {
            status: row.responseStatus,
            headers: JSON.parse(row.responseHeaders ?? "{}") as Record<string, string>,
            body: row.responseBody?.toString("utf8") ?? "",
            body_truncated: row.responseTruncated,
          },
    timings_ms:
      row.durationMs === null
        ? null
        : {
            dns: row.dnsMs,
            connect: row.connectMs,
            tls: row.tlsMs,
            first_byte: row.firstByteMs,
            total: row.durationMs,
          },
    remote_address: row.remoteAddress,
    next_attempt_at: row.nextAttemptAt?.toISOString() ?? null,
  };
}
