import { createPrivateKey, createPublicKey, type KeyObject } from "node:crypto";

const PRIVATE_PREFIX = "whsk_";
const PUBLIC_PREFIX = "whpk_";
const SEED_BYTES = 32;
/** PKCS #8 of an ed25519 key is these bytes and the seed (RFC 8410 §7). */
const PKCS8_HEAD = Buffer.from("302e020100300506032b657004220420", "hex");

/** An ed25519 key pair as Standard Webhooks 1.0 writes it: `whsk_` and `whpk_`, each with base64. */
export interface AsymmetricKeyPair {
  /** Holds seed and public half; whoever has it can sign. */
  privateKey: string;
  publicKey: string;
}

/** A fresh pair from 32 of the given random bytes. */
export function newAsymmetricKeyPair(randomBytes: (size: number) => Uint8Array): AsymmetricKeyPair {
  const seed = Buffer.from(randomBytes(SEED_BYTES));
  const raw = rawPublicKey(keyOfSeed(seed));
  return {
    privateKey: PRIVATE_PREFIX + Buffer.concat([seed, raw]).toString("base64"),
    publicKey: PUBLIC_PREFIX + raw.toString("base64"),
  };
}

/** Prepares a private key for signing. Throws a TypeError, which does not repeat the key, when it is malformed. */
export function asymmetricKey(privateKey: string): KeyObject {
  const bytes = Buffer.from(privateKey.slice(PRIVATE_PREFIX.length), "base64");
  const key = bytes.length === 2 * SEED_BYTES ? keyOfSeed(bytes.subarray(0, SEED_BYTES)) : undefined;
  if (!key || !privateKey.startsWith(PRIVATE_PREFIX) || !rawPublicKey(key).equals(bytes.subarray(SEED_BYTES)))
    throw new TypeError("An ed25519 key is whsk_ and the base64 of its seed and its public half.");
  return key;
}

function keyOfSeed(seed: Buffer): KeyObject {
  return createPrivateKey({ key: Buffer.concat([PKCS8_HEAD, seed]), format: "der", type: "pkcs8" });
}

function rawPublicKey(key: KeyObject): Buffer {
  return createPublicKey(key).export({ format: "der", type: "spki" }).subarray(-SEED_BYTES);
}
