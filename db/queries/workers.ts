import type { Conn } from "../client.ts";
import { WORKER_LOCK_CLASS } from "./claims.ts";

/** How many workers hold the lock of their number: those that are alive. */
export async function countWorkers(conn: Conn): Promise<number> {
  // Two int4 keys have objsubid 2 (PostgreSQL docs, pg_locks); the lock of another database has the same class.
  const [row] = await conn.query<{ workers: number }>(
    `select count(*)::int as workers from pg_locks
      where locktype = 'advisory' and granted and classid = $1 and objsubid = 2
        and database = (select oid from pg_database where datname = current_database())`,
    [WORKER_LOCK_CLASS],
  );
  return row?.workers ?? 0;
}
