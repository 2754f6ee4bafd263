import { randomFillSync } from "node:crypto";
import { V7Generator } from "uuidv7";

const POOLED = 1024;
const pool = new Uint32Array(POOLED);
let used = POOLED;

/** Random numbers are asked for by the thousand: a call for each id costs more than all else that makes it. */
function nextUint32(): number {
  if (used === POOLED) {
    randomFillSync(pool);
    used = 0;
  }
  const value = pool[used] ?? 0;
  // What an id was made of is not kept.
  pool[used++] = 0;
  return value;
}

const generator = new V7Generator({ nextUint32 });

const DIGITS = Buffer.from("0123456789abcdef");
const text = Buffer.alloc(36, "-");
/** Where the two digits of each byte stand. */
const PLACES = Uint8Array.of(0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34);

/** A UUIDv7 (RFC 9562 §5.7), for where ids are made by the thousand. */
export function newId(): string {
  const { bytes } = generator.generate();
  // In one piece: of a text put together from its digits, each of them stays an object until somebody reads it.
  for (let i = 0; i < PLACES.length; i++) {
    const [byte, at] = [bytes[i] as number, PLACES[i] as number];
    text[at] = DIGITS[byte >>> 4] as number;
    text[at + 1] = DIGITS[byte & 0xf] as number;
  }
  return text.toString("latin1");
}
