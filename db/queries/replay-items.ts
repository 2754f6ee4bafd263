import type { Conn, Tx } from "../client.ts";

/** One replay. */
export interface OfReplay {
  tenantId: string;
  replayId: string;
}

/** Notes that deliveries have been put back and have not ended. */
export async function insertReplayItems(
  tx: Tx,
  { tenantId, replayId }: OfReplay,
  deliveryIds: readonly string[],
): Promise<void> {
  await tx.query(
    `insert into replay_items (tenant_id, replay_id, delivery_id) select $1, $2, id from unnest($3::uuid[]) as d (id)
     on conflict do nothing`,
    [tenantId, replayId, deliveryIds],
  );
}

/**
 * Takes away up to `limit` deliveries that have ended and gives how many there were. One that was cancelled while its
 * request was under way has not ended before that, and may still be delivered. Those that were tried and wait for a
 * retry are put off until after it, by five minutes at most, since somebody may close them before.
 */
export async function takeEndedItems(
  tx: Tx,
  { tenantId, replayId, limit }: OfReplay & { limit: number },
): Promise<{ ended: number; succeeded: number }> {
  const [row] = await tx.query<{ ended: number; succeeded: number }>(
    `with due as materialized (
       select delivery_id from replay_items
        where tenant_id = $1 and replay_id = $2 and check_at <= now() order by check_at limit $3
     ), seen as materialized (
       select due.delivery_id, d.status, d.step, d.next_attempt_at,
              d.status is distinct from 'pending' and not (d.status = 'cancelled' and d.is_held) as has_ended
         from due left join lateral (
           select status, step, next_attempt_at, exists (select 1 from claims c where c.job_id = d.job_id) as is_held
             from deliveries d where d.tenant_id = $1 and d.id = due.delivery_id offset 0) d on true
     ), ended as (
       delete from replay_items
        where tenant_id = $1 and replay_id = $2
          and delivery_id = any (array(select delivery_id from seen where has_ended))
     ), put_off as (
       insert into replay_items (tenant_id, replay_id, delivery_id, check_at)
       select $1, $2, delivery_id,
              least(greatest(next_attempt_at, now()) + interval '0.5 seconds', now() + interval '5 minutes')
         from seen where status = 'pending' and step > 0
           on conflict (tenant_id, replay_id, delivery_id) do update set check_at = excluded.check_at
     )
     select count(*) filter (where has_ended)::int as ended,
            count(*) filter (where status = 'delivered')::int as succeeded from seen`,
    [tenantId, replayId, limit],
  );
  return row ?? { ended: 0, succeeded: 0 };
}

/** What a replay waits for. */
export interface Waiting {
  /** Deliveries that have not been tried since they were put back. */
  untried: number;
  /** When the first of those that were tried is to be looked at again; `null` when there is none. */
  nextCheck: Date | null;
  /** What the time is for the database, which is what says when something is due. */
  at: Date;
}

export async function countWaiting(conn: Conn, { tenantId, replayId }: OfReplay): Promise<Waiting> {
  const [row] = await conn.query<Waiting & Record<string, unknown>>(
    `select (select count(*)::int from replay_items
              where tenant_id = $1 and replay_id = $2 and check_at <= now()) as untried,
            (select min(check_at) from replay_items
              where tenant_id = $1 and replay_id = $2 and check_at > now()) as "nextCheck",
            now() as at`,
    [tenantId, replayId],
  );
  if (!row) throw new Error("a query without a table gave no row");
  return row;
}
