import type { Db } from "#db/client.ts";
import { purgeEndpoints as purgeTombstones } from "#db/queries/change-endpoint.ts";

const PURGE_AT_ONCE = 1_000;
const TOMBSTONE_MS = 30 * 86_400_000;

/**
 * Deletes what was left of endpoints that were deleted thirty days ago, once nothing refers to them, a thousand at a time.
 * Gives whether there may be more.
 */
export async function purgeEndpoints({ db, now }: { db: Db; now(): Date }): Promise<boolean> {
  const until = new Date(now().getTime() - TOMBSTONE_MS);
  return (await purgeTombstones(db, { until, limit: PURGE_AT_ONCE })) === PURGE_AT_ONCE;
}
