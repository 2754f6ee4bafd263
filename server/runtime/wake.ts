import type { Db, Tx } from "#db/client.ts";
import { FRESH_ONLY, type WakeWorkers } from "../queue/wake-workers.ts";

/** The channel on which workers hear that there is work; it carries `FRESH_ONLY` or nothing. */
export const WAKE_CHANNEL = "posthorn_wake";

/** The channel on which workers hear of endpoints that have become others; it carries their plain ids. */
export const ENDPOINT_CHANNEL = "posthorn_endpoint";

/** Tells the workers, once `tx` has committed, that what they know of an endpoint is old. */
export async function announceEndpoint(tx: Tx, endpointId: string): Promise<void> {
  await tx.query("select pg_notify($1, $2)", [ENDPOINT_CHANNEL, endpointId]);
}

// A notification counts as a change, so its commit would wait for the disk, and the workers with it.
const NOTIFY = "select set_config('synchronous_commit', 'off', true), pg_notify($1, $2)";

/**
 * Gives what wakes all workers by a notification. That of a transaction follows its COMMIT on the same connection, which
 * spares the way back and forth in between. Other calls that come while one is under way are answered by one more after
 * it. A lost one costs nothing but the workers' poll interval.
 */
export function createWaker(db: Db): WakeWorkers {
  let underWay = false;
  /** What the next notification is to carry; `undefined` when there is none to come. */
  let next: typeof FRESH_ONLY | "" | undefined;
  const notify = async () => {
    underWay = true;
    while (next !== undefined) {
      const payload = next;
      next = undefined;
      await db.query(NOTIFY, [WAKE_CHANNEL, payload]).catch(() => {});
    }
    underWay = false;
  };
  return (only, tx) => {
    if (tx) return tx.sendBehind(NOTIFY, [WAKE_CHANNEL, only ?? ""], "wake");
    next = only === FRESH_ONLY && next !== "" ? FRESH_ONLY : "";
    if (!underWay) void notify();
  };
}
