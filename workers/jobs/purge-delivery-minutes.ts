import type { Db } from "#db/client.ts";
import { deleteDeliveryMinutes } from "#db/queries/delivery-minutes.ts";
import { LAG_DAYS } from "#server/domain/retention.ts";

const DAY_MS = 86_400_000;
const DELETE_AT_ONCE = 5_000;

/** Deletes a part of what says when there were deliveries that retention has removed; gives whether there may be more. */
export async function purgeDeliveryMinutes(deps: {
  db: Db;
  now(): Date;
  retentionDays: number;
}): Promise<boolean> {
  const today = new Date(Math.floor(deps.now().getTime() / DAY_MS) * DAY_MS);
  const of = { today, days: deps.retentionDays, lagDays: LAG_DAYS.deliveries, limit: DELETE_AT_ONCE };
  return (await deleteDeliveryMinutes(deps.db, of)) === DELETE_AT_ONCE;
}
