import { setTimeout as delay } from "node:timers/promises";
import { isConnectionError } from "#db/database-errors.ts";

const GIVE_UP_MS = 60_000;
const AGAIN_AFTER_MS = 200;

/** Does what needs the database, again while it cannot be reached. */
export async function patiently<T>(work: () => Promise<T>): Promise<T> {
  const deadline = Date.now() + GIVE_UP_MS;
  for (;;)
    try {
      return await work();
    } catch (error) {
      if (!isConnectionError(error) || Date.now() > deadline) throw error;
      await delay(AGAIN_AFTER_MS);
    }
}
