import type { Db } from "#db/client.ts";
import { purgeCarts } from "#db/queries/carts.ts";
import { tombstonesSince } from "#server/domain/carts.ts";

const PURGE_AT_ONCE = 1_000;

/** Deletes the tombstones of carts that were deleted thirty days ago, a thousand at a time. Gives whether there may be more. */
export async function purgeTombstones({ db, now }: { db: Db; now(): Date }): Promise<boolean> {
  return (await purgeCarts(db, { until: tombstonesSince(now()), limit: PURGE_AT_ONCE })) === PURGE_AT_ONCE;
}
