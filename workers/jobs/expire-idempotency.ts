import type { Db } from "#db/client.ts";
import { deleteExpiredAnswers } from "#db/queries/idempotency.ts";

const DELETE_AT_ONCE = 1_000;

/** Deletes answers that were kept for their seven days, a thousand at a time. Gives whether there may be more. */
export async function expireIdempotency({ db, now }: { db: Db; now(): Date }): Promise<boolean> {
  return (await deleteExpiredAnswers(db, { now: now(), limit: DELETE_AT_ONCE })) === DELETE_AT_ONCE;
}
