import type { Conn } from "../client.ts";

export interface BucketState extends Record<string, unknown> {
  bucket: string;
  /** Milliseconds until the bucket is full; negative when it is. */
  fullInMs: number;
}

// One clock for all processes: what they send and get are spans of time.
const NOW_MS = "(extract(epoch from now()) * 1000)::float8";

/**
 * Adds to buckets what was taken within the last `sinceMs`, as the milliseconds in which it comes back, and tells when
 * each is full then, all processes' use together. Rows are locked in the order of their names, so that processes wait
 * for each other and never deadlock.
 */
export function addBucketUses(
  conn: Conn,
  uses: readonly { bucket: string; costMs: number }[],
  sinceMs: number,
): Promise<BucketState[]> {
  return conn.query(
    `insert into rate_buckets as kept (bucket, full_at_ms)
     select bucket, ${NOW_MS} - $3::float8 + cost_ms
       from unnest($1::text[], $2::float8[]) as used (bucket, cost_ms)
      order by bucket collate "C"
     on conflict (bucket) do update
       set full_at_ms = greatest(excluded.full_at_ms, kept.full_at_ms + excluded.full_at_ms - (${NOW_MS} - $3::float8))
     returning bucket, full_at_ms - ${NOW_MS} as "fullInMs"`,
    [uses.map(({ bucket }) => bucket), uses.map(({ costMs }) => costMs), sinceMs],
    "add-bucket-uses",
  );
}

/** Forgets at most `limit` buckets that have been full for a minute, which is what absent ones are; gives how many. */
export async function purgeFullBuckets(conn: Conn, limit: number): Promise<number> {
  const rows = await conn.query(
    `delete from rate_buckets where bucket in (
       select bucket from rate_buckets where full_at_ms < ${NOW_MS} - 60000 limit $1 for update skip locked
     ) returning bucket`,
    [limit],
  );
  return rows.length;
}
