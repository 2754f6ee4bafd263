import type { Db, Tx } from "#db/client.ts";

/** The channel on which workers hear that there is fresh work. */
export const WAKE_CHANNEL = "posthorn_wake";

/** The channel on which workers hear of endpoints that have become others; it carries their plain ids. */
export const ENDPOINT_CHANNEL = "posthorn_endpoint";

/** Tells the workers, once `tx` has committed, that what they know of an endpoint is old. */
export async function announceEndpoint(tx: Tx, endpointId: string): Promise<void> {
  await tx.query("select pg_notify($1, $2)", [ENDPOINT_CHANNEL, endpointId]);
}

// A notification counts as a change, so its commit would wait for the disk, and the workers with it.
const NOTIFY = "select set_config('synchronous_commit', 'off', true), pg_notify($1, '')";

/**
 * Gives a function that wakes all workers. Calls that come while a notification is under way are answered by one
 * more after it; a lost one costs nothing but the workers' poll interval.
 */
export function createWaker(db: Db): () => void {
  let underWay = false;
  let again = false;
  const notify = async () => {
    underWay = true;
    do {
      again = false;
      await db.query(NOTIFY, [WAKE_CHANNEL]).catch(() => {});
    } while (again);
    underWay = false;
  };
  return () => {
    if (underWay) again = true;
    else void notify();
  };
}
