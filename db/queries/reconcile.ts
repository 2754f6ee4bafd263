import type { Conn, Tx } from "../client.ts";

export interface Stray extends Record<string, unknown> {
  tenantId: string;
  id: string;
}

/**
 * Deliveries that have been due for longer than `overdueSeconds` and whose job no longer exists: nothing will ever
 * look at them. Oldest first, and locked, so that two reconcilers never take the same ones.
 */
export function listStrays(tx: Tx, overdueSeconds: number, limit: number): Promise<Stray[]> {
  return tx.query<Stray>(
    `select d.tenant_id as "tenantId", d.id from deliveries d
      where d.status = 'pending' and d.next_attempt_at < now() - make_interval(secs => $1)
        and not exists (select 1 from pgboss.job j where j.id = d.job_id and j.state < 'completed')
      order by d.id limit $2
        for update of d skip locked`,
    [overdueSeconds, limit],
  );
}

/** Seconds since the oldest due delivery should have been sent; 0 when none waits. It excludes nothing. */
export async function oldestDueSeconds(conn: Conn): Promise<number> {
  const [row] = await conn.query<{ seconds: number }>(
    `select coalesce(extract(epoch from now() - min(next_attempt_at)), 0)::float8 as seconds
       from deliveries where status = 'pending' and next_attempt_at <= now()`,
  );
  return row?.seconds ?? 0;
}
