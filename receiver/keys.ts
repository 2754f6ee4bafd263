import { createSecretKey, type KeyObject } from "node:crypto";

/** One secret without an id, or secrets by key id (several under one id when several senders use the same). */
export type SecretSet = string | { readonly [keyId: string]: string | readonly string[] };

/** The secrets to accept: during a rotation the old and the new one. */
export type Secrets = SecretSet | readonly SecretSet[];

export type Key = {
  readonly keyId: string | null;
  /** HMAC key of `X-Signature`: the UTF-8 bytes of the secret as displayed. */
  readonly asDisplayed: KeyObject;
  /** HMAC key of `webhook-signature`; null when the secret is not base64 (after an optional `whsec_`). */
  readonly decoded: KeyObject | null;
};

/** Prepares secrets for verifying. Throws a TypeError (that repeats no secret) for one that is empty or no string. */
export function keysOf(secrets: Secrets): Key[] {
  return (isList(secrets) ? secrets : [secrets]).flatMap((set) => {
    if (typeof set === "string") return keyOf(null, set);
    if (typeof set !== "object" || set === null)
      throw new TypeError("Secrets are strings, alone or by key id.");
    return Object.entries(set).flatMap(([keyId, values]) =>
      (typeof values === "string" ? [values] : values).map((value) => keyOf(keyId, value)),
    );
  });
}

/** The keys that may have made a signature naming this key id: those of that id, and those of none. */
export function keysNamed(keys: readonly Key[], keyId: string | null): readonly Key[] {
  return keyId === null ? keys : keys.filter((key) => key.keyId === keyId || key.keyId === null);
}

const PREFIX = "whsec_";
const MIN_BYTES = 24;
const MAX_BYTES = 64;

function keyOf(keyId: string | null, secret: string): Key {
  if (typeof secret !== "string" || secret === "" || secret === PREFIX) {
    throw new TypeError(`The secret${keyId === null ? "" : ` of key ${keyId}`} is empty or not a string.`);
  }
  const decoded = decode(secret);
  return {
    keyId,
    asDisplayed: createSecretKey(Buffer.from(secret, "utf8")),
    decoded: decoded && createSecretKey(decoded),
  };
}

function decode(secret: string): Buffer | null {
  const encoded = secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret;
  const bytes = Buffer.from(encoded, "base64");
  const canonical = bytes.toString("base64") === encoded;
  return canonical && bytes.length >= MIN_BYTES && bytes.length <= MAX_BYTES ? bytes : null;
}

function isList(secrets: Secrets): secrets is readonly SecretSet[] {
  return Array.isArray(secrets);
}
