import type { Role } from "#contracts/scopes.ts";
import type { Conn, Tx } from "../client.ts";
import { CREATED_POSITION, keyset, keysetValues, type PageQuery } from "./paging.ts";

export interface StaffRow extends Record<string, unknown> {
  id: string;
  email: string;
  name: string;
  role: Role;
  disabled: boolean;
  hasPassword: boolean;
  sessions: number;
  twoFactor: boolean;
  passkeys: number;
  linkExpiresAt: Date | null;
  createdAt: Date;
  createdPosition: string;
}

const HAS_PASSWORD = `exists (select from staff_accounts a where a.user_id = u.id
  and a.provider_id = 'credential' and a.password is not null)`;

const COLUMNS = `id, email, name, role, coalesce(banned, false) as disabled, ${HAS_PASSWORD} as "hasPassword",
  (select count(*)::int from staff_sessions s where s.user_id = u.id and s.expires_at > now()) as sessions,
  two_factor_enabled as "twoFactor",
  (select count(*)::int from staff_passkeys k where k.user_id = u.id) as passkeys,
  (select max(v.expires_at) from staff_verifications v
    where v.value = u.id and starts_with(v.identifier, 'reset-password:') and v.expires_at > now()) as "linkExpiresAt",
  created_at as "createdAt", ${CREATED_POSITION}`;

/** The staff, newest first. */
export function listStaffPage(conn: Conn, page: PageQuery): Promise<StaffRow[]> {
  return conn.query(
    `select ${COLUMNS} from staff_users u where ${keyset(page, 1, "text")}`,
    keysetValues(page),
  );
}

export async function findStaffRow(conn: Conn, id: string): Promise<StaffRow | undefined> {
  const [row] = await conn.query<StaffRow>(`select ${COLUMNS} from staff_users u where id = $1`, [id]);
  return row;
}

/** How many admins can sign in, other than this one. */
export async function countOtherAdmins(conn: Conn, id: string): Promise<number> {
  const [row] = await conn.query<{ admins: number }>(
    `select count(*)::int as admins from staff_users u
      where id <> $1 and role = 'admin' and not coalesce(banned, false) and ${HAS_PASSWORD}`,
    [id],
  );
  return row?.admins ?? 0;
}

export async function updateStaff(
  tx: Tx,
  id: string,
  { name, role, disabled }: { name: string; role: Role; disabled: boolean },
): Promise<void> {
  await tx.query(
    "update staff_users set name = $2, role = $3, banned = $4, updated_at = now() where id = $1",
    [id, name, role, disabled],
  );
}

/** Takes the password from somebody. */
export async function forgetPassword(tx: Tx, id: string): Promise<void> {
  await tx.query(
    "update staff_accounts set password = null, updated_at = now() where user_id = $1 and provider_id = 'credential'",
    [id],
  );
}

/** Stores a link that better-auth takes for a reset of the password; `identifier` as it stores that. */
export async function insertLink(
  tx: Tx,
  link: { id: string; identifier: string; userId: string; now: Date; expiresAt: Date },
): Promise<void> {
  await tx.query(
    `insert into staff_verifications (id, identifier, value, expires_at, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $5)`,
    [link.id, link.identifier, link.userId, link.expiresAt, link.now],
  );
}

/** Makes the links that somebody has been given useless. */
export async function deleteLinks(tx: Tx, userId: string): Promise<void> {
  await tx.query("delete from staff_verifications where value = $1", [userId]);
}

/** The hash of somebody's password; `null` when there is none. */
export async function passwordHashOfUser(conn: Conn, userId: string): Promise<string | null> {
  const [row] = await conn.query<{ password: string | null }>(
    "select password from staff_accounts where user_id = $1 and provider_id = 'credential'",
    [userId],
  );
  return row?.password ?? null;
}
