import { createHmac, type KeyObject } from "node:crypto";
import { equalText } from "./equal-text.ts";
import { type HeaderSource, readHeader } from "./headers.ts";
import { UNIX_SECONDS } from "./x-signature.ts";

/** The `webhook-*` headers of Standard Webhooks 1.0. */
export type WebhookSignature = {
  id: string;
  /** Unix seconds as written. */
  timestamp: string;
  /** What stands after `v1,` in each entry of that version; entries of other versions are left out. */
  digests: readonly string[];
};

/** Visible ASCII without the `.` that delimits the signed content. */
const ID = /^[\x21-\x2d\x2f-\x7e]{1,255}$/;

/** Reads the three headers; null when one is missing or malformed. */
export function parseWebhookSignature(headers: HeaderSource): WebhookSignature | null {
  const id = readHeader(headers, "webhook-id");
  const timestamp = readHeader(headers, "webhook-timestamp");
  const list = readHeader(headers, "webhook-signature");
  if (id === undefined || timestamp === undefined || list === undefined) return null;
  if (!ID.test(id) || !UNIX_SECONDS.test(timestamp)) return null;
  const digests = list.split(" ").flatMap((entry) => (entry.startsWith("v1,") ? [entry.slice(3)] : []));
  return { id, timestamp, digests };
}

/** Whether one of the `v1` entries is the HMAC of `<id>.<timestamp>.<raw body>` under this key. */
export function webhookSignatureMatches(
  signature: WebhookSignature,
  key: KeyObject,
  body: Uint8Array,
): boolean {
  const hmac = createHmac("sha256", key).update(`${signature.id}.${signature.timestamp}.`);
  const expected = hmac.update(body).digest("base64");
  return signature.digests.some((digest) => equalText(digest, expected));
}
