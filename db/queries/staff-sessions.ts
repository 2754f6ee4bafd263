import type { Conn, Tx } from "../client.ts";
import { CREATED_POSITION, keyset, keysetValues, type PageQuery } from "./paging.ts";

export interface SessionRow extends Record<string, unknown> {
  id: string;
  address: string | null;
  userAgent: string | null;
  createdAt: Date;
  createdPosition: string;
  expiresAt: Date;
}

/** Somebody's sessions that have not run out, newest first. */
export function listSessionPage(conn: Conn, userId: string, page: PageQuery): Promise<SessionRow[]> {
  return conn.query(
    `select id, nullif(ip_address, '') as address, nullif(user_agent, '') as "userAgent",
            created_at as "createdAt", ${CREATED_POSITION}, expires_at as "expiresAt"
       from staff_sessions where user_id = $4 and expires_at > now() and ${keyset(page, 1, "text")}`,
    [...keysetValues(page), userId],
  );
}

export async function hasSession(conn: Conn, userId: string, id: string): Promise<boolean> {
  const [row] = await conn.query<{ found: boolean }>(
    "select exists (select from staff_sessions where user_id = $1 and id = $2) as found",
    [userId, id],
  );
  return row?.found === true;
}

/** Ends one session; `false` when there is none. */
export async function deleteSession(tx: Tx, userId: string, id: string): Promise<boolean> {
  const rows = await tx.query("delete from staff_sessions where user_id = $1 and id = $2 returning id", [
    userId,
    id,
  ]);
  return rows.length > 0;
}

/** Ends all sessions of somebody but one; gives how many. */
export async function deleteOtherSessions(tx: Tx, userId: string, kept: string): Promise<number> {
  const rows = await tx.query("delete from staff_sessions where user_id = $1 and id <> $2 returning id", [
    userId,
    kept,
  ]);
  return rows.length;
}

/** Notes that somebody has proved in a session just now who they are. */
export async function confirmSession(tx: Tx, id: string, at: Date): Promise<void> {
  await tx.query("update staff_sessions set confirmed_at = $2 where id = $1", [id, at]);
}
