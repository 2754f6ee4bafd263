import { randomFillSync } from "node:crypto";
import { V7Generator } from "uuidv7";
import { uuidText } from "#db/uuid-bytes.ts";

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

/** A UUIDv7 (RFC 9562 §5.7), for where ids are made by the thousand. */
export function newId(): string {
  return uuidText(generator.generate().bytes);
}
