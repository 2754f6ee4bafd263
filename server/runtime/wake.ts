import type { Db } from "#db/client.ts";

/** The channel on which workers hear that there is fresh work. */
export const WAKE_CHANNEL = "posthorn_wake";

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
      await db.query("select pg_notify($1, '')", [WAKE_CHANNEL]).catch(() => {});
    } while (again);
    underWay = false;
  };
  return () => {
    if (underWay) again = true;
    else void notify();
  };
}
