import type { Db } from "#db/client.ts";
import { purgeFullBuckets } from "#db/queries/rate-buckets.ts";

const AT_ONCE = 1_000;

/** Forgets the rate limits that nobody uses; gives whether more may be left. */
export async function purgeRateBuckets({ db }: { db: Db }): Promise<boolean> {
  return (await purgeFullBuckets(db, AT_ONCE)) === AT_ONCE;
}
