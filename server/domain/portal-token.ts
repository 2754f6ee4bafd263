import { CHECKSUM_LENGTH, checksum, hashSecret, pickText } from "./api-key.ts";

/** `posthorn_portal_<secret><crc>`, found by scanners as API keys are: the checksum tells it from what only looks like one. */
const PREFIX = "posthorn_portal_";
// 43 characters of 62 kinds are 256 bits.
const SECRET_LENGTH = 43;
const TOKEN = new RegExp(`^${PREFIX}[0-9A-Za-z]{${SECRET_LENGTH + CHECKSUM_LENGTH}}$`);

/** A fresh token, shown this once. `randomIndex(n)` gives an even pick below n. */
export function newPortalToken(randomIndex: (below: number) => number): { token: string; hash: Buffer } {
  const body = PREFIX + pickText(SECRET_LENGTH, randomIndex);
  const token = body + checksum(body);
  return { token, hash: hashSecret(token) };
}

/** Whether a bearer's token says that it is of the portal. */
export const isPortalToken = (text: string): boolean => text.startsWith(PREFIX);

/** The SHA-256 by which a token is kept; `undefined` when it cannot be one of ours, which costs no look-up. */
export function hashPortalToken(text: string): Buffer | undefined {
  if (!TOKEN.test(text)) return undefined;
  const end = text.length - CHECKSUM_LENGTH;
  return checksum(text.slice(0, end)) === text.slice(end) ? hashSecret(text) : undefined;
}
