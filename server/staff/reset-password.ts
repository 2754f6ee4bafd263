import type { Tx } from "#db/client.ts";
import { deletePendingSignIns } from "#db/queries/second-factors.ts";
import { deleteSessions, findStaffByEmail, replacePassword } from "#db/queries/staff.ts";
import { AppError } from "../errors.ts";

/**
 * Gives a member of staff another password and ends all sessions, so that whoever knew the old one is out. Gives how
 * many sessions there were. Throws `not-found`.
 */
export async function resetPassword(
  tx: Tx,
  reset: { email: string; passwordHash: string; now: Date },
): Promise<{ endedSessions: number }> {
  const { email, passwordHash, now } = reset;
  const staff = await findStaffByEmail(tx, email);
  if (!staff || !(await replacePassword(tx, { userId: staff.id, passwordHash, at: now })))
    throw new AppError("not-found", `There is no user ${email}.`);
  await deletePendingSignIns(tx, staff.id);
  return { endedSessions: await deleteSessions(tx, staff.id) };
}
