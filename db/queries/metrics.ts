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

/** Pending deliveries of all tenants at one moment. */
export interface PendingFigures extends Record<string, unknown> {
  /** Those whose time has come, in flight or not: fresh, retries, replays and what waits for slow endpoints. */
  due: number;
  /** Those whose next try lies in the future, be it because the circuit breaker of their endpoint is open. */
  scheduled: number;
  /** Those held for paused endpoints: they have no time. */
  paused: number;
  /** Since the oldest due one should have been sent; 0 when none is due. */
  oldestDueSeconds: number;
  /** Since the oldest held one was made; 0 when none is held. */
  oldestPausedSeconds: number;
}

/**
 * Looks at every pending delivery, so that none is left out: about a third of a second for a million of them. Whoever
 * asks regularly must ask the less often the longer it takes.
 */
export async function pendingFigures(conn: Conn): Promise<PendingFigures> {
  const [row] = await conn.query<PendingFigures>(
    // A breaker whose time has long come lets what waits through: who still waits then is late.
    `with shut as materialized (
       select endpoint_id from endpoint_health
        where breaker_state <> 'closed' and breaker_until > now() - interval '1 minute'
     )
     select count(*) filter (where next_attempt_at <= now() and not is_shut)::int as due,
            count(*) filter (where next_attempt_at > now() or (next_attempt_at is not null and is_shut))::int as scheduled,
            count(*) filter (where next_attempt_at is null)::int as paused,
            greatest(0, coalesce(extract(epoch from now() - min(next_attempt_at) filter (where not is_shut)), 0))::float8
              as "oldestDueSeconds",
            coalesce(extract(epoch from now() - min(created_at) filter (where next_attempt_at is null)), 0)::float8
              as "oldestPausedSeconds"
       from (select next_attempt_at, created_at, endpoint_id in (select endpoint_id from shut) as is_shut
               from undelivered where status = 'pending') as d`,
  );
  if (!row) throw new Error("an aggregate without a row");
  return row;
}

/** How many deliveries have ended otherwise than delivered, by status; read from an index alone. */
export async function endedFigures(conn: Conn): Promise<Record<(typeof ENDED)[number], number>> {
  const rows = await conn.query<{ status: string; count: number }>(
    "select status, count(*)::int as count from undelivered where status = any($1) group by status",
    [ENDED],
  );
  const counts = new Map(rows.map(({ status, count }) => [status, count]));
  return {
    failed: counts.get("failed") ?? 0,
    cancelled: counts.get("cancelled") ?? 0,
    dismissed: counts.get("dismissed") ?? 0,
  };
}

const ENDED = ["failed", "cancelled", "dismissed"] as const;
