import { createHash } from "node:crypto";
import { uuidTimeMs } from "#contracts/ids.ts";
import { canonicalJson } from "./canonical-json.ts";

const MAX_CLOCK_DIFFERENCE_MS = 24 * 3_600_000;

/** Whether the time in a client's UUIDv7 is near enough to now: ids decide in which partition an event lies. */
export function isRecentId(uuid: string, now: Date): boolean {
  return Math.abs(uuidTimeMs(uuid) - now.getTime()) <= MAX_CLOCK_DIFFERENCE_MS;
}

/** SHA-256 of what an event says, to tell a repeat from a clash; the order of members and white space do not count. */
export function contentHash(type: string, data: string): Buffer {
  return createHash("sha256")
    .update(`${type}\n${canonicalJson(data)}`)
    .digest();
}
