import { getRandomValues } from "node:crypto";
import { V7Generator } from "uuidv7";

const random = new Uint32Array(1024);
let used = random.length;

const generator = new V7Generator({
  nextUint32() {
    if (used === random.length) {
      getRandomValues(random);
      used = 0;
    }
    return random[used++] ?? 0;
  },
});

/** A fresh UUIDv7, for who needs thousands a second: its random bits are drawn ahead, 4 KiB at a time. */
export const newUuid = (): string => generator.generate().toString();
