import type { Db } from "#db/client.ts";
import { deleteEndedReplays } from "#db/queries/purging.ts";

const KEPT_MS = 30 * 86_400_000;
const AT_ONCE = 1_000;

/** Deletes replays that ended thirty days ago, a thousand at a time; gives whether there may be more. */
export async function purgeReplays({ db, now }: { db: Db; now(): Date }): Promise<boolean> {
  return (await deleteEndedReplays(db, new Date(now().getTime() - KEPT_MS), AT_ONCE)) === AT_ONCE;
}
