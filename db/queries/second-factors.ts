import type { Conn, Tx } from "../client.ts";

export interface TwoFactorRow extends Record<string, unknown> {
  /** Sealed. */
  secret: string;
  verified: boolean;
  codesLeft: number;
  createdAt: Date;
}

export interface PasskeyRow extends Record<string, unknown> {
  id: string;
  name: string;
  createdAt: Date;
  lastUsedAt: Date | null;
}

/** Somebody's authenticator app, also while its set-up is under way. */
export async function findTwoFactor(conn: Conn, userId: string): Promise<TwoFactorRow | undefined> {
  const [row] = await conn.query<TwoFactorRow>(
    `select secret, verified, cardinality(backup_codes) as "codesLeft", created_at as "createdAt"
       from staff_two_factors where user_id = $1`,
    [userId],
  );
  return row;
}

/** Begins a set-up, in place of one that was begun before; `false` when an authenticator app is in use. */
export async function beginTwoFactor(
  tx: Tx,
  { id, userId, sealed, now }: { id: string; userId: string; sealed: string; now: Date },
): Promise<boolean> {
  const rows = await tx.query(
    `insert into staff_two_factors as f (id, user_id, secret, backup_codes, created_at) values ($4, $1, $2, '{}', $3)
     on conflict (user_id) do update set secret = $2, backup_codes = '{}', last_step = 0, created_at = $3
       where not f.verified
     returning user_id`,
    [userId, sealed, now, id],
  );
  return rows.length > 0;
}

/** Asks for a code from now on; `false` when the set-up that the code was for is there no more. */
export async function enableTwoFactor(
  tx: Tx,
  change: { userId: string; sealed: string; step: number; backupCodes: readonly string[]; now: Date },
): Promise<boolean> {
  const { userId, sealed, step, backupCodes, now } = change;
  const rows = await tx.query(
    `update staff_two_factors set verified = true, last_step = $3, backup_codes = $4, created_at = $5
      where user_id = $1 and secret = $2 and not verified returning user_id`,
    [userId, sealed, step, backupCodes, now],
  );
  if (rows.length === 0) return false;
  await setTwoFactorEnabled(tx, userId, true);
  return true;
}

/** Replaces all backup codes; `false` when no authenticator app is in use. */
export async function replaceBackupCodes(
  tx: Tx,
  userId: string,
  backupCodes: readonly string[],
): Promise<boolean> {
  const rows = await tx.query(
    "update staff_two_factors set backup_codes = $2 where user_id = $1 and verified returning user_id",
    [userId, backupCodes],
  );
  return rows.length > 0;
}

/** Forgets app and backup codes; `false` when none was in use. */
export async function deleteTwoFactor(tx: Tx, userId: string): Promise<boolean> {
  const rows = await tx.query<{ verified: boolean }>(
    "delete from staff_two_factors where user_id = $1 returning verified",
    [userId],
  );
  await setTwoFactorEnabled(tx, userId, false);
  return rows.some(({ verified }) => verified);
}

async function setTwoFactorEnabled(tx: Tx, userId: string, enabled: boolean): Promise<void> {
  await tx.query("update staff_users set two_factor_enabled = $2, updated_at = now() where id = $1", [
    userId,
    enabled,
  ]);
}

/** Takes the code of a step, once: `false` when that or a later one was taken before. */
export async function takeStep(tx: Tx, userId: string, step: number): Promise<boolean> {
  const rows = await tx.query(
    "update staff_two_factors set last_step = $2 where user_id = $1 and verified and last_step < $2 returning user_id",
    [userId, step],
  );
  return rows.length > 0;
}

/** Takes a backup code, once; gives how many are left, `undefined` when it is none. */
export async function takeBackupCode(tx: Tx, userId: string, digest: string): Promise<number | undefined> {
  const [row] = await tx.query<{ left: number }>(
    `update staff_two_factors set backup_codes = array_remove(backup_codes, $2)
      where user_id = $1 and verified and $2 = any (backup_codes) returning cardinality(backup_codes) as left`,
    [userId, digest],
  );
  return row?.left;
}

/** Ends sign-ins of somebody that wait for a code. */
export async function deletePendingSignIns(tx: Tx, userId: string): Promise<void> {
  await tx.query(
    "delete from staff_verifications where value = $1 and not starts_with(identifier, 'reset-password:')",
    [userId],
  );
}

const PASSKEY = `id, name, created_at as "createdAt", last_used_at as "lastUsedAt"`;

/** Somebody's passkeys, oldest first. */
export function listPasskeys(conn: Conn, userId: string): Promise<PasskeyRow[]> {
  return conn.query(`select ${PASSKEY} from staff_passkeys where user_id = $1 order by created_at, id`, [
    userId,
  ]);
}

export async function findPasskey(conn: Conn, userId: string, id: string): Promise<PasskeyRow | undefined> {
  const [row] = await conn.query<PasskeyRow>(
    `select ${PASSKEY} from staff_passkeys where user_id = $1 and id = $2`,
    [userId, id],
  );
  return row;
}

/** Whose passkey a credential is. */
export async function findPasskeyOwner(
  conn: Conn,
  credentialId: string,
): Promise<{ userId: string; name: string } | undefined> {
  const [row] = await conn.query<{ userId: string; name: string }>(
    `select user_id as "userId", name from staff_passkeys where credential_id = $1`,
    [credentialId],
  );
  return row;
}

export async function notePasskeyUse(conn: Conn, credentialId: string, at: Date): Promise<void> {
  await conn.query("update staff_passkeys set last_used_at = $2 where credential_id = $1", [
    credentialId,
    at,
  ]);
}

export async function renamePasskey(tx: Tx, id: string, name: string): Promise<void> {
  await tx.query("update staff_passkeys set name = $2 where id = $1", [id, name]);
}

/** Removes a passkey; `false` when there is none. */
export async function deletePasskey(tx: Tx, userId: string, id: string): Promise<boolean> {
  const rows = await tx.query("delete from staff_passkeys where user_id = $1 and id = $2 returning id", [
    userId,
    id,
  ]);
  return rows.length > 0;
}

/** Removes all passkeys of somebody; gives how many. */
export async function deletePasskeys(tx: Tx, userId: string): Promise<number> {
  const rows = await tx.query("delete from staff_passkeys where user_id = $1 returning id", [userId]);
  return rows.length;
}
