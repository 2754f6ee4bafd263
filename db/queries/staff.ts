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
  passwordHash: string;
}

/** Whether anybody can sign in to the console. */
export async function hasStaff(conn: Conn): Promise<boolean> {
  const [row] = await conn.query<{ found: boolean }>("select exists (select from staff_users) as found");
  return row?.found === true;
}

/** Makes the caller the only one who decides about the first user, until its transaction ends. */
export async function lockFirstStaff(tx: Tx): Promise<void> {
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
