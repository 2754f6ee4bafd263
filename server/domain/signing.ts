import { createHmac, createSecretKey, type KeyObject, sign } from "node:crypto";

/** How `X-Signature` is written; chosen per endpoint. */
export type SignatureFormat = "hex" | "sha256" | "timestamped";

const PREFIX = "whsec_";
const NEW_SECRET_BYTES = 32;
const MIN_SECRET_BYTES = 24;
const MAX_SECRET_BYTES = 64;
const MAX_ENCODED_LENGTH = Math.ceil(MAX_SECRET_BYTES / 3) * 4;
const KEY_ID = /^[A-Za-z0-9_-]{1,64}$/;

const material: unique symbol = Symbol("signing key material");

/** A prepared key. Only `signingKey` makes one and only `signDelivery` looks inside; it prints no secret. */
export type SigningKey = {
  readonly kid: string;
  readonly [material]: {
    /** For `X-Signature`: the UTF-8 bytes of the secret as displayed. */
    readonly asDisplayed: KeyObject;
    /** For `webhook-signature`: the bytes that the part after `whsec_` encodes. */
    readonly decoded: KeyObject;
  };
};

/** A fresh secret as it is displayed, from 32 of the given random bytes. */
export function newSecret(randomBytes: (size: number) => Uint8Array): string {
  return PREFIX + Buffer.from(randomBytes(NEW_SECRET_BYTES)).toString("base64");
}

/** Whether the text is `whsec_` followed by the canonical base64 of 24 to 64 bytes. */
export function isSecret(text: string): boolean {
  return secretBytes(text) !== null;
}

/**
 * Prepares a secret for signing. Keep the result: a KeyObject signs in 3 µs where the raw secret takes 15 µs.
 * Throws a TypeError (that does not repeat the secret) when the key id or the secret is malformed.
 */
export function signingKey(secret: { kid: string; value: string }): SigningKey {
  const decoded = secretBytes(secret.value);
  if (decoded === null) throw new TypeError("A signing secret is whsec_ and the base64 of 24 to 64 bytes.");
  if (!KEY_ID.test(secret.kid)) throw new TypeError("A key id is 1 to 64 letters, digits, '-' or '_'.");
  return {
    kid: secret.kid,
    [material]: {
      asDisplayed: createSecretKey(Buffer.from(secret.value, "utf8")),
      decoded: createSecretKey(decoded),
    },
  };
}

export type DeliveryToSign = {
  format: SignatureFormat;
  /** Every key that is valid now, the current one first. */
  keys: readonly [SigningKey, ...SigningKey[]];
  /** An ed25519 private key, of an endpoint that has one. */
  asymmetric?: KeyObject | undefined;
  /** Must hold no `.`: it delimits the parts of the signed content. */
  deliveryId: string;
  /** Unix seconds of this attempt. */
  timestamp: number;
  /** The exact bytes that are sent. */
  body: Uint8Array;
};

export type DeliverySignatures = {
  /** `X-Signature`, made with the current key. */
  signature: string;
  /** `X-Signature-Key-Id`: the key that `signature` is made with. */
  keyId: string;
  /**
   * `webhook-signature`: one `v1` entry per valid key, so that each of them verifies during an overlap, and a `v1a` entry
   * where there is an ed25519 key.
   */
  webhookSignature: string;
};

/** The signatures of one attempt: `X-Signature` (contract §10) and Standard Webhooks 1.0. */
export function signDelivery({
  format,
  keys,
  asymmetric,
  deliveryId,
  timestamp,
  body,
}: DeliveryToSign): DeliverySignatures {
  const current = keys[0];
  const signedPrefix = `${deliveryId}.${timestamp}.`;
  const entries = keys.map((key) => webhookSignatureEntry(key, signedPrefix, body));
  if (asymmetric) entries.push(asymmetricEntry(asymmetric, signedPrefix, body));
  return {
    signature: xSignature({ format, key: current[material].asDisplayed, kid: current.kid, timestamp, body }),
    keyId: current.kid,
    webhookSignature: entries.join(" "),
  };
}

/** `X-Signature` in one of its formats, with an HMAC key of any origin. */
export function xSignature(parts: {
  format: SignatureFormat;
  key: KeyObject;
  kid: string;
  timestamp: number;
  body: Uint8Array;
}): string {
  const { format, key, kid, timestamp, body } = parts;
  const hmac = createHmac("sha256", key);
  switch (format) {
    case "hex":
      return hmac.update(body).digest("hex");
    case "sha256":
      return `sha256=${hmac.update(body).digest("hex")}`;
    case "timestamped":
      return `t=${timestamp},kid=${kid},v1=${hmac.update(`${timestamp}.`).update(body).digest("hex")}`;
  }
}

export type DeliveryHeaderValues = DeliverySignatures & {
  /** Of Posthorn, for the user agent. */
  version: string;
  deliveryId: string;
  eventType: string;
  /** Number of this attempt, from 1. */
  attempt: number;
  /** Unix seconds, the one that was signed. */
  timestamp: number;
  /** W3C Trace Context. */
  traceparent: string;
};

/** The request headers of one attempt, in the order they are sent: for the sender and for the attempts log alike. */
export function deliveryHeaders(values: DeliveryHeaderValues): Record<string, string> {
  const timestamp = String(values.timestamp);
  return {
    "Content-Type": "application/json",
    "User-Agent": `Posthorn/${values.version}`,
    "Accept-Encoding": "identity",
    "X-Delivery": values.deliveryId,
    "X-Event": values.eventType,
    "X-Attempt": String(values.attempt),
    "X-Signature": values.signature,
    "X-Signature-Key-Id": values.keyId,
    "X-Signature-Timestamp": timestamp,
    "webhook-id": values.deliveryId,
    "webhook-timestamp": timestamp,
    "webhook-signature": values.webhookSignature,
    traceparent: values.traceparent,
  };
}

function webhookSignatureEntry(key: SigningKey, signedPrefix: string, body: Uint8Array): string {
  const hmac = createHmac("sha256", key[material].decoded);
  return `v1,${hmac.update(signedPrefix).update(body).digest("base64")}`;
}

function asymmetricEntry(key: KeyObject, signedPrefix: string, body: Uint8Array): string {
  const content = Buffer.concat([Buffer.from(signedPrefix), body]);
  return `v1a,${sign(null, content, key).toString("base64")}`;
}

function secretBytes(text: string): Buffer | null {
  if (!text.startsWith(PREFIX) || text.length > PREFIX.length + MAX_ENCODED_LENGTH) return null;
  const encoded = text.slice(PREFIX.length);
  const bytes = Buffer.from(encoded, "base64");
  // Node decodes leniently (no padding, URL alphabet, junk): only a round trip proves the canonical form.
  const canonical = bytes.toString("base64") === encoded;
  return canonical && bytes.length >= MIN_SECRET_BYTES && bytes.length <= MAX_SECRET_BYTES ? bytes : null;
}
