import type { Db } from "#db/client.ts";
import { deleteHoursBefore } from "#db/queries/endpoint-hours.ts";
import { deleteMinutesBefore } from "#db/queries/endpoint-minutes.ts";

/** For how long the figures of endpoints are kept. */
export const FIGURES_KEPT_MS = 30 * 86_400_000;
const DELETE_AT_ONCE = 5_000;

/** Deletes a part of the figures of endpoints that are older than 30 days; gives whether there may be more. */
export async function purgeMinutes({ db, now }: { db: Db; now(): Date }): Promise<boolean> {
  const before = new Date(now().getTime() - FIGURES_KEPT_MS);
  // Hours first: one that is there has all of its minutes.
  if ((await deleteHoursBefore(db, before, DELETE_AT_ONCE)) === DELETE_AT_ONCE) return true;
  return (await deleteMinutesBefore(db, before, DELETE_AT_ONCE)) === DELETE_AT_ONCE;
}
