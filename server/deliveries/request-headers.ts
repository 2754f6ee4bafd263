import { toId } from "#contracts/ids.ts";
import { maskedHeaders } from "../domain/endpoint-headers.ts";
import { type DeliverySignatures, deliveryHeaders } from "../domain/signing.ts";

/** What an attempt's request headers cannot be rebuilt without. It holds signatures and no secret. */
export interface SentParts extends DeliverySignatures {
  version: string;
  /** Unix seconds. */
  timestamp: number;
  traceparent: string;
  /** Names of the endpoint's own headers; absent when there were none. Their values are kept nowhere but with it. */
  custom?: readonly string[];
}

/** The JSON text that the log keeps. Signatures, ids and versions have no character to escape, and are not searched for any. */
export function sentText(parts: SentParts): string {
  if (parts.custom) return JSON.stringify(parts);
  const { signature, keyId, webhookSignature, version, timestamp, traceparent } = parts;
  return `{"signature":"${signature}","keyId":"${keyId}","webhookSignature":"${webhookSignature}","version":"${version}","timestamp":${timestamp},"traceparent":"${traceparent}"}`;
}

export interface HeaderSubject {
  deliveryId: string;
  eventType: string;
  attempt: number;
}

/** The request headers of an attempt: the sender sends these with the values of `custom`; the log shows them masked. */
export function requestHeaders(
  of: HeaderSubject,
  parts: SentParts,
  custom: Readonly<Record<string, string>> = maskedHeaders(parts.custom ?? []),
): Record<string, string> {
  const own = deliveryHeaders({
    ...parts,
    deliveryId: toId("delivery", of.deliveryId),
    eventType: of.eventType,
    attempt: of.attempt,
  });
  return Object.keys(custom).length > 0 ? { ...custom, ...own } : own;
}
