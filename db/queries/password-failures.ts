import type { Conn } from "../client.ts";

export interface PasswordFailures extends Record<string, unknown> {
  count: number;
  lastAt: Date;
}

export async function findPasswordFailures(conn: Conn, key: string): Promise<PasswordFailures | undefined> {
  const [row] = await conn.query<PasswordFailures>(
    'select count, last_at as "lastAt" from staff_password_failures where key = $1',
    [key],
  );
  return row;
}

/** Counts one more in a row; what is older than `since` is forgotten. */
export async function countPasswordFailure(conn: Conn, key: string, at: Date, since: Date): Promise<void> {
  await conn.query(
    `insert into staff_password_failures as f (key, count, last_at) values ($1, 1, $2)
     on conflict (key) do update
       set count = case when f.last_at < $3 then 1 else f.count + 1 end, last_at = $2`,
    [key, at, since],
  );
}

export async function clearPasswordFailures(conn: Conn, key: string): Promise<void> {
  await conn.query("delete from staff_password_failures where key = $1", [key]);
}
