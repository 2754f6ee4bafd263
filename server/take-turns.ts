import { setImmediate } from "node:timers/promises";

const MAX_BUSY_MS = 10;

/** For the parts of long work: each time it is awaited, the rest of the process gets its turn if it has waited for 10 ms. */
export function takeTurns(nowMs: () => number = () => performance.now()): () => Promise<void> {
  let since = nowMs();
  return async () => {
    if (nowMs() - since < MAX_BUSY_MS) return;
    await setImmediate();
    since = nowMs();
  };
}
