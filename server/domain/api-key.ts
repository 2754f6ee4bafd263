import { hash } from "node:crypto";

/** `ph_<env>_<id>_<secret><crc>`: the prefix and the checksum let scanners find leaked keys without asking us. */
const KEY = /^ph_([a-z]{1,16})_([0-9A-Za-z]{16})_([0-9A-Za-z]{32})([0-9A-Za-z]{6})$/;

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const ENVIRONMENT = "live";
const ID_LENGTH = 16;
const SECRET_LENGTH = 32;
export const CHECKSUM_LENGTH = 6;

export interface ApiKeyParts {
  /** Names the key in the database. */
  publicId: string;
  /** SHA-256 of the secret, which is all that is kept of it. */
  secretHash: Buffer;
}

/** A fresh key, shown this once. `randomIndex(n)` gives an even pick below n; 190 bits go into the secret. */
export function newApiKey(randomIndex: (below: number) => number): ApiKeyParts & { key: string } {
  const publicId = pickText(ID_LENGTH, randomIndex);
  const secret = pickText(SECRET_LENGTH, randomIndex);
  const body = `${shownPart(publicId)}_${secret}`;
  return { key: body + checksum(body), publicId, secretHash: hashSecret(secret) };
}

/** Random letters and digits, of 5.95 bits each. */
export function pickText(length: number, randomIndex: (below: number) => number): string {
  return Array.from({ length }, () => ALPHABET[randomIndex(ALPHABET.length)]).join("");
}

/** The part of a key that may be known: all before its secret. */
export const shownPart = (publicId: string): string => `ph_${ENVIRONMENT}_${publicId}`;

/** What a presented key says; `undefined` when it cannot be one of ours, which costs no look-up. */
export function parseApiKey(text: string): ApiKeyParts | undefined {
  const [, , publicId, secret, crc] = KEY.exec(text) ?? [];
  if (!publicId || !secret || checksum(text.slice(0, -CHECKSUM_LENGTH)) !== crc) return undefined;
  return { publicId, secretHash: hashSecret(secret) };
}

/** What is kept of a secret: its SHA-256. */
export function hashSecret(secret: string): Buffer {
  return hash("sha256", secret, "buffer");
}

/** What CRC-32 (ISO 3309) makes of each byte. */
const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  return crc;
});

/** CRC-32 in six characters; of ASCII. */
export function checksum(text: string): string {
  let crc = 0xffffffff;
  for (let at = 0; at < text.length; at++)
    crc = (crc >>> 8) ^ (CRC_TABLE[(crc ^ text.charCodeAt(at)) & 0xff] ?? 0);
  let rest = (crc ^ 0xffffffff) >>> 0;
  let digits = "";
  for (let place = 0; place < CHECKSUM_LENGTH; place++) {
    digits = ALPHABET[rest % 62] + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}
