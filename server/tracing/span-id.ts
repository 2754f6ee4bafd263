import { randomBytes, randomInt } from "node:crypto";

const PROCESS = randomBytes(4).toString("hex");
let made = randomInt(0x1_0000_0000);

/** A span's id. It has to be new, not hard to guess: the process draws the first half, and counts in the second. */
export function newSpanId(): string {
  made = (made % 0xffff_ffff) + 1;
  return PROCESS + made.toString(16).padStart(8, "0");
}
