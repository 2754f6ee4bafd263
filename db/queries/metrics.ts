import type { Conn } from "../client.ts";

/** Jobs of one queue that are counted at most: the figure of a queue stops there, and so does its cost. */
const MAX_COUNTED_JOBS = 5_000;

/**
 * Deliveries per queue that are due and that no worker has taken yet. A delivery whose retry lies in the future is not
 * among them. Every queue of `queues` has its figure.
 */
export async function deliveriesWaiting(
  conn: Conn,
  queues: readonly string[],
): Promise<{ queue: string; deliveries: number }[]> {
  return conn.query(
    `select queue, counted.deliveries from unnest($1::text[]) as queue
      cross join lateral (
        select coalesce(sum(jsonb_array_length(data -> 'deliveryIds')), 0)::int as deliveries
          from (select data from pgboss.job
                 where name = queue and state < 'active' and not blocked and start_after <= now()
                 limit $2) as jobs
      ) as counted`,
    [queues, MAX_COUNTED_JOBS],
    "deliveries-waiting",
  );
}

/** Jobs that workers hold right now, those of vanished ones included. */
export async function claimsHeld(conn: Conn): Promise<number> {
  const [row] = await conn.query<{ claims: number }>(
    "select count(*)::int as claims from claims",
    [],
    "claims-held",
  );
  return row?.claims ?? 0;
}
