import type { Db } from "#db/client.ts";
import { deleteStaffLeftovers } from "#db/queries/purging.ts";

const KEPT_MS = 86_400_000;
const AT_ONCE = 1_000;

/** Deletes what has been of no use to the console's sign-in for a day, a thousand of each kind at a time; gives whether there may be more. */
export async function purgeStaff({ db, now }: { db: Db; now(): Date }): Promise<boolean> {
  return (await deleteStaffLeftovers(db, new Date(now().getTime() - KEPT_MS), AT_ONCE)) === AT_ONCE;
}
