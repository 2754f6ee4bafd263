import { type HeaderSource, readHeader } from "./headers.ts";
import { type Key, keysNamed, keysOf, type Secrets } from "./keys.ts";
import { VerificationError } from "./verification-error.ts";
import { parseWebhookSignature, webhookSignatureMatches } from "./webhook-signature.ts";
import { parseXSignature, UNIX_SECONDS, type XSignature, xSignatureMatches } from "./x-signature.ts";

/** What is asked of a request besides a right signature. */
export type VerifyPolicy = {
  /** How old or how far ahead a timestamp may be. Default 300. */
  toleranceSeconds?: number;
  /** Refuse a request whose verified signatures cover no timestamp. Default false. */
  requireSignedTimestamp?: boolean;
};

export type VerifyOptions = VerifyPolicy & {
  secrets: Secrets;
  headers: HeaderSource;
  /** The raw bytes as received, before any parse or decode. */
  body: Uint8Array;
  /** Default: the present. */
  now?: Date;
};

export type Verified = {
  /** What was verified: the form of `X-Signature`, Standard Webhooks, or both. */
  schemes: readonly (XSignature["scheme"] | "standard-webhooks")[];
  /** Id of the secret that matched; null when it was given without one. */
  keyId: string | null;
  /** When the request was signed; null when no verified signature covers a time. */
  signedAt: Date | null;
  /** The signed delivery id (`webhook-id`); null when only `X-Signature` was verified, which covers none. */
  deliveryId: string | null;
};

type Proof = {
  scheme: Verified["schemes"][number];
  keyId: string | null;
  timestamp: string | null;
  deliveryId: string | null;
};

const DEFAULT_TOLERANCE_SECONDS = 300;

/**
 * Believes a delivery, or throws a `VerificationError` that says why not.
 *
 * Every signature that is present and can be checked must be right: `X-Signature` under the key that
 * `X-Signature-Key-Id` names (under any when it names none), `webhook-signature` under any. When the named key is
 * not among the secrets, `webhook-signature` decides alone: during a rotation it is also made with the old key.
 * Every timestamp that is present, signed or not, must be within the tolerance. Throws a TypeError for an empty secret
 * or a body that is not bytes.
 */
export function verify(options: VerifyOptions): Verified {
  return verifyWithKeys(keysOf(options.secrets), options);
}

/** `verify` with secrets that are prepared already. */
export function verifyWithKeys(keys: readonly Key[], options: Omit<VerifyOptions, "secrets">): Verified {
  const { headers, body, now = new Date(), toleranceSeconds = DEFAULT_TOLERANCE_SECONDS } = options;
  if (!(body instanceof Uint8Array)) {
    throw new TypeError("The body must be the raw bytes (Uint8Array), not text or a parsed object.");
  }

  const proofs = prove(keys, headers, body);
  const [first] = proofs;
  if (first === undefined) throw new VerificationError("unknown_key");

  const signed = proofs.map((proof) => proof.timestamp).find((timestamp) => timestamp !== null) ?? null;
  checkAge([...proofs.map((proof) => proof.timestamp), unsignedTimestamp(headers)], now, toleranceSeconds);
  if (signed === null && options.requireSignedTimestamp) throw new VerificationError("unsigned_timestamp");

  const deliveryId = proofs.map((proof) => proof.deliveryId).find((id) => id !== null) ?? null;
  const named = readHeader(headers, "x-delivery");
  if (deliveryId !== null && named !== undefined && named !== deliveryId) {
    throw new VerificationError("delivery_id_mismatch");
  }
  return {
    schemes: proofs.map((proof) => proof.scheme),
    keyId: first.keyId,
    signedAt: signed === null ? null : new Date(Number(signed) * 1000),
    deliveryId,
  };
}

function prove(keys: readonly Key[], headers: HeaderSource, body: Uint8Array): Proof[] {
  const xSignature = readHeader(headers, "x-signature");
  const webhookSignature = readHeader(headers, "webhook-signature");
  if (xSignature === undefined && webhookSignature === undefined) {
    throw new VerificationError("missing_signature");
  }
  return [
    xSignature === undefined ? null : proveXSignature(xSignature, keys, headers, body),
    webhookSignature === undefined ? null : proveWebhookSignature(keys, headers, body),
  ].filter((proof) => proof !== null);
}

/** Null when the signature names a key that is not among the given ones. */
function proveXSignature(
  text: string,
  keys: readonly Key[],
  headers: HeaderSource,
  body: Uint8Array,
): Proof | null {
  const signature = parseXSignature(text);
  if (signature === null) throw new VerificationError("malformed_signature");
  const candidates = keysNamed(keys, readHeader(headers, "x-signature-key-id") ?? signature.keyId);
  if (candidates.length === 0) return null;
  const key = candidates.find((candidate) => xSignatureMatches(signature, candidate, body));
  if (key === undefined) throw new VerificationError("wrong_signature");
  return { scheme: signature.scheme, keyId: key.keyId, timestamp: signature.timestamp, deliveryId: null };
}

/** Null when no given secret can be a Standard Webhooks key. */
function proveWebhookSignature(keys: readonly Key[], headers: HeaderSource, body: Uint8Array): Proof | null {
  const signature = parseWebhookSignature(headers);
  if (signature === null) throw new VerificationError("malformed_signature");
  const usable = keys.flatMap(({ keyId, decoded }) => (decoded === null ? [] : [{ keyId, decoded }]));
  if (usable.length === 0) return null;
  const key = usable.find(({ decoded }) => webhookSignatureMatches(signature, decoded, body));
  if (key === undefined) throw new VerificationError("wrong_signature");
  return {
    scheme: "standard-webhooks",
    keyId: key.keyId,
    timestamp: signature.timestamp,
    deliveryId: signature.id,
  };
}

function unsignedTimestamp(headers: HeaderSource): string | null {
  const timestamp = readHeader(headers, "x-signature-timestamp") ?? null;
  if (timestamp !== null && !UNIX_SECONDS.test(timestamp)) throw new VerificationError("malformed_signature");
  return timestamp;
}

function checkAge(timestamps: readonly (string | null)[], now: Date, toleranceSeconds: number): void {
  const nowSeconds = Math.floor(now.getTime() / 1000);
  for (const timestamp of timestamps) {
    if (timestamp === null) continue;
    if (nowSeconds - Number(timestamp) > toleranceSeconds) throw new VerificationError("stale_timestamp");
    if (Number(timestamp) - nowSeconds > toleranceSeconds) throw new VerificationError("future_timestamp");
  }
}
