import type { Role } from "#contracts/scopes.ts";
import type { Conn, Tx } from "../client.ts";
import { staffAccounts, staffUsers } from "../schema/staff.ts";

// Any number that no other advisory lock uses.
const FIRST_STAFF_LOCK = 7_081_993;

export interface NewStaffRow {
  id: string;
  accountId: string;
  name: string;
  email: string;
  role: Role;
  /** `null`: nobody can sign in until a link was used. */
  passwordHash: string | null;
}

/** Whether anybody can sign in to the console. */
export async function hasStaff(conn: Conn): Promise<boolean> {
  const [row] = await conn.query<{ found: boolean }>("select exists (select from staff_users) as found");
  return row?.found === true;
}

/** Makes the caller the only one who decides who the staff are, until its transaction ends. */
export async function lockStaff(tx: Tx): Promise<void> {
  await tx.query("select pg_advisory_xact_lock($1)", [FIRST_STAFF_LOCK]);
}

/** Stores a user who signs in with a password, as better-auth reads it. */
export async function insertStaff(tx: Tx, row: NewStaffRow): Promise<void> {
  await tx.orm
    .insert(staffUsers)
    .values({ id: row.id, name: row.name, email: row.email, emailVerified: true, role: row.role });
  await tx.orm.insert(staffAccounts).values({
    id: row.accountId,
    accountId: row.id,
    providerId: "credential",
    userId: row.id,
    password: row.passwordHash,
  });
}

export interface ListedStaff extends Record<string, unknown> {
  id: string;
  email: string;
  name: string;
  role: string;
  disabled: boolean;
  createdAt: Date;
}

const LISTED = `id, email, name, role, coalesce(banned, false) as disabled, created_at as "createdAt"`;

/** Everybody who may sign in, or once might, by e-mail. */
export function listStaff(conn: Conn): Promise<ListedStaff[]> {
  return conn.query(`select ${LISTED} from staff_users order by email`);
}

/** `email` in lower case, as it is stored. */
export async function findStaffByEmail(conn: Conn, email: string): Promise<ListedStaff | undefined> {
  const [row] = await conn.query<ListedStaff>(`select ${LISTED} from staff_users where email = $1`, [email]);
  return row;
}

/** Sets the password of a user; `false` when the user has none that could be replaced. */
export async function replacePassword(
  tx: Tx,
  change: { userId: string; passwordHash: string; at: Date },
): Promise<boolean> {
  const rows = await tx.query(
    `update staff_accounts set password = $2, updated_at = $3
      where user_id = $1 and provider_id = 'credential' returning id`,
    [change.userId, change.passwordHash, change.at],
  );
  return rows.length > 0;
}

/** Signs a user out everywhere; gives how many sessions were ended. */
export async function deleteSessions(tx: Tx, userId: string): Promise<number> {
  const rows = await tx.query("delete from staff_sessions where user_id = $1 returning id", [userId]);
  return rows.length;
}

/** The stored hash of the password that somebody signs in with. */
export async function passwordHashOf(conn: Conn, email: string): Promise<string | undefined> {
  const [row] = await conn.query<{ password: string }>(
    `select a.password from staff_accounts a join staff_users u on u.id = a.user_id
      where u.email = $1 and a.provider_id = 'credential'`,
    [email],
  );
  return row?.password;
}
