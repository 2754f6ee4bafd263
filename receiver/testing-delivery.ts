import { createHmac } from "node:crypto";

export const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
export const OTHER_SECRET = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD";

/** HMAC-SHA256 in hex under the UTF-8 bytes of a secret: all that a consumer without a library needs. */
export function hmacHex(secret: string, content: Uint8Array | string): string {
  return createHmac("sha256", secret).update(content).digest("hex");
}

/** A `v1` entry of `webhook-signature`. */
export function standardSignature(secret: string, id: string, timestamp: number, body: Uint8Array): string {
  const key = Buffer.from(secret.replace("whsec_", ""), "base64");
  return `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.`).update(body).digest("base64")}`;
}

/** The present in unix seconds. */
export function unixNow(): number {
  return Math.floor(Date.now() / 1000);
}

export type SignedDelivery = { headers: Record<string, string>; body: Uint8Array };

/** A delivery as Posthorn sends it, signed without the code under test. */
export function signedDelivery(
  options: { secret?: string; kid?: string; id?: string; timestamp?: number; body?: Uint8Array } = {},
): SignedDelivery {
  const { secret = SECRET, kid = "v1", id = "dlv_01", timestamp = unixNow() } = options;
  const body = options.body ?? Buffer.from('{"id":"evt_01","type":"PaymentCaptured","data":{}}');
  return {
    body,
    headers: {
      "content-type": "application/json",
      "x-delivery": id,
      "x-event": "PaymentCaptured",
      "x-signature": hmacHex(secret, body),
      "x-signature-key-id": kid,
      "x-signature-timestamp": String(timestamp),
      "webhook-id": id,
      "webhook-timestamp": String(timestamp),
      "webhook-signature": standardSignature(secret, id, timestamp, body),
    },
  };
}

/** The same delivery with headers replaced, or left out where undefined. */
export function withHeaders(
  delivery: SignedDelivery,
  changes: Record<string, string | undefined>,
): SignedDelivery {
  const headers = Object.entries({ ...delivery.headers, ...changes }).filter(
    (header): header is [string, string] => header[1] !== undefined,
  );
  return { ...delivery, headers: Object.fromEntries(headers) };
}

/** The same delivery with `X-Signature` alone, as a sender without Standard Webhooks makes it. */
export function bare(delivery: SignedDelivery): SignedDelivery {
  return withHeaders(delivery, {
    "x-signature-key-id": undefined,
    "x-signature-timestamp": undefined,
    "webhook-id": undefined,
    "webhook-timestamp": undefined,
    "webhook-signature": undefined,
  });
}
