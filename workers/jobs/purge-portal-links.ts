import type { Db } from "#db/client.ts";
import { deleteEndedLinks } from "#db/queries/purging.ts";

const KEPT_MS = 30 * 86_400_000;
const AT_ONCE = 1_000;

/** Deletes links to the portal thirty days after their end, a thousand at a time; gives whether there may be more. */
export async function purgePortalLinks({ db, now }: { db: Db; now(): Date }): Promise<boolean> {
  return (await deleteEndedLinks(db, new Date(now().getTime() - KEPT_MS), AT_ONCE)) === AT_ONCE;
}
