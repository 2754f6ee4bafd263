import { createHmac } from "node:crypto";
import { equalText } from "./equal-text.ts";
import type { Key } from "./keys.ts";

/** A well-formed `X-Signature`. */
export type XSignature = {
  scheme: "hex" | "sha256" | "timestamped";
  /** HMAC-SHA256 in lower-case hex; the timestamped form may list several. */
  digests: readonly string[];
  /** The signed unix seconds as written, in the timestamped form. */
  timestamp: string | null;
  /** The key id inside the timestamped form. */
  keyId: string | null;
};

const BODY_DIGEST = /^(sha256=)?([0-9a-f]{64})$/i;
const DIGEST = /^[0-9a-f]{64}$/i;
export const UNIX_SECONDS = /^[0-9]{1,11}$/;

/**
 * Reads `<hex>`, `sha256=<hex>` or `t=<unix>,kid=<key id>,v1=<hex>`; null when it is none of them.
 * The form is checked before anything is decoded: `Buffer.from(text, "hex")` stops silently at the first bad digit.
 */
export function parseXSignature(text: string): XSignature | null {
  const [, prefix, digest] = BODY_DIGEST.exec(text) ?? [];
  if (digest !== undefined) {
    const scheme = prefix === undefined ? "hex" : "sha256";
    return { scheme, digests: [digest.toLowerCase()], timestamp: null, keyId: null };
  }
  return parseTimestamped(text);
}

/** Whether one of the digests is the HMAC of the raw body (timestamped: of `<unix>.<raw body>`) under this key. */
export function xSignatureMatches(signature: XSignature, key: Key, body: Uint8Array): boolean {
  const hmac = createHmac("sha256", key.asDisplayed);
  if (signature.timestamp !== null) hmac.update(`${signature.timestamp}.`);
  const expected = hmac.update(body).digest("hex");
  return signature.digests.some((digest) => equalText(digest, expected));
}

function parseTimestamped(text: string): XSignature | null {
  const items = text.split(",").map((item): [name: string, value: string] => {
    const equals = item.indexOf("=");
    return equals === -1 ? [item, ""] : [item.slice(0, equals), item.slice(equals + 1)];
  });
  const valuesOf = (name: string) => items.filter((item) => item[0] === name).map((item) => item[1]);

  const [timestamp, ...moreTimestamps] = valuesOf("t");
  const digests = valuesOf("v1").filter((value) => DIGEST.test(value));
  if (timestamp === undefined || moreTimestamps.length > 0 || !UNIX_SECONDS.test(timestamp)) return null;
  if (digests.length === 0) return null;
  return {
    scheme: "timestamped",
    digests: digests.map((digest) => digest.toLowerCase()),
    timestamp,
    keyId: valuesOf("kid")[0] ?? null,
  };
}
