import type { Conn } from "../client.ts";

/** Deletes at most `limit` replays that ended before a moment and wait for nothing any more; gives how many. */
export async function deleteEndedReplays(conn: Conn, before: Date, limit: number): Promise<number> {
  const rows = await conn.query(
    `delete from replays r where (tenant_id, id) in (
       select tenant_id, id from replays ended
        where completed_at < $1
          and not exists (select 1 from replay_items i where i.tenant_id = ended.tenant_id and i.replay_id = ended.id)
        order by completed_at limit $2 for update skip locked)
     returning r.id`,
    [before, limit],
  );
  return rows.length;
}

/** Deletes at most `limit` links to the portal that were to end before a moment; gives how many. */
export async function deleteEndedLinks(conn: Conn, before: Date, limit: number): Promise<number> {
  const rows = await conn.query(
    `delete from portal_links where (tenant_id, id) in (
       select tenant_id, id from portal_links where expires_at < $1 order by expires_at limit $2 for update skip locked)
     returning id`,
    [before, limit],
  );
  return rows.length;
}

// What each table of the console's sign-in holds longer than it can be of use. The times of attempts are milliseconds.
const STAFF = [
  "delete from staff_sessions where id in (select id from staff_sessions where expires_at < $1 limit $2) returning 1",
  "delete from staff_verifications where id in (select id from staff_verifications where expires_at < $1 limit $2) returning 1",
  `delete from staff_rate_limits where id in
     (select id from staff_rate_limits where last_request < extract(epoch from $1::timestamptz) * 1000 limit $2) returning 1`,
  `delete from staff_password_failures where key in
     (select key from staff_password_failures where last_at < $1 limit $2) returning 1`,
];

/** Deletes sessions and verifications of staff that ended before a moment, and counts of attempts from before it; at most `limit` of each. */
export async function deleteStaffLeftovers(conn: Conn, before: Date, limit: number): Promise<number> {
  let deleted = 0;
  for (const text of STAFF) deleted = Math.max(deleted, (await conn.query(text, [before, limit])).length);
  return deleted;
}
