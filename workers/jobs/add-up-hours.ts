import { type Db, withTransaction } from "#db/client.ts";
import { addUpHour } from "#db/queries/endpoint-hours.ts";
import { FIGURES_KEPT_MS } from "./purge-minutes.ts";

/** Adds up the figures of endpoints in the next hour that is over; gives whether there may be another. */
export function addUpHours({ db }: { db: Db }): Promise<boolean> {
  return withTransaction(db, (tx) => addUpHour(tx, FIGURES_KEPT_MS));
}
