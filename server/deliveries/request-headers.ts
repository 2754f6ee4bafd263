import { toId } from "#contracts/ids.ts";
import { type DeliverySignatures, deliveryHeaders } from "../domain/signing.ts";

/** What an attempt's request headers cannot be rebuilt without. It holds signatures and no secret. */
export interface SentParts extends DeliverySignatures {
  version: string;
  /** Unix seconds. */
  timestamp: number;
  traceparent: string;
}

export interface HeaderSubject {
  deliveryId: string;
  eventType: string;
  attempt: number;
}

/** The request headers of an attempt: the sender sends these, and the log shows the very same. */
export function requestHeaders(of: HeaderSubject, parts: SentParts): Record<string, string> {
  return deliveryHeaders({
    ...parts,
    deliveryId: toId("delivery", of.deliveryId),
    eventType: of.eventType,
    attempt: of.attempt,
  });
}
