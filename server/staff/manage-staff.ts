import type { Role } from "#contracts/scopes.ts";
import type { Tx } from "#db/client.ts";
import {
  countOtherAdmins,
  deleteLinks,
  findStaffRow,
  forgetPassword,
  type StaffRow,
  updateStaff,
} from "#db/queries/manage-staff.ts";
import { deleteSessions, lockStaff } from "#db/queries/staff.ts";
import type { AuditEntry } from "../audit/append-audit.ts";
import { AppError, notFound } from "../errors.ts";
import { createStaff } from "./create-staff.ts";
import { forgetFactors } from "./second-factor.ts";
import { makeSignInLink } from "./sign-in-link.ts";

/** What a change of the staff is made with: who makes it, and how it is noted. */
export interface StaffChange {
  actorId: string;
  origin: string;
  now: Date;
  note(entry: AuditEntry): Promise<void>;
}

type Invited = { row: StaffRow; link: string };

/** Makes a member of staff who can sign in once the link was used. Throws `state-conflict` when the e-mail is taken. */
export async function inviteStaff(
  tx: Tx,
  change: StaffChange,
  { email, name, role }: { email: string; name: string; role: Role },
): Promise<Invited> {
  const { id } = await createStaff(tx, { email, name, role, passwordHash: null });
  const link = await makeSignInLink(tx, { userId: id, email, ...change });
  await change.note({ action: "staff.invite", target: email, after: { name, role } });
  return { row: await reread(tx, id), link };
}

/** Changes name or role. Nobody changes their own role; an admin who is the last that can sign in stays one. */
export async function changeStaff(
  tx: Tx,
  change: StaffChange,
  { id, ...wanted }: { id: string; name?: string | undefined; role?: Role | undefined },
): Promise<StaffRow> {
  const row = await lockedRow(tx, id);
  const before = { name: row.name, role: row.role };
  const after = { name: wanted.name ?? row.name, role: wanted.role ?? row.role };
  if (after.role !== before.role) {
    refuseSelf(change, id, "Nobody changes their own role; another admin can.");
    if (before.role === "admin") await requireOtherAdmin(tx, row);
  }
  if (after.name === before.name && after.role === before.role) return row;
  await updateStaff(tx, id, { ...after, disabled: row.disabled });
  await change.note({ action: "staff.change", target: row.email, before, after });
  return reread(tx, id);
}

/** Keeps somebody out from now on: ends sessions and links. */
export async function disableStaff(tx: Tx, change: StaffChange, id: string): Promise<StaffRow> {
  const row = await lockedRow(tx, id);
  refuseSelf(change, id, "Nobody disables themselves; another admin can.");
  if (row.disabled) return row;
  if (row.role === "admin") await requireOtherAdmin(tx, row);
  await updateStaff(tx, id, { ...row, disabled: true });
  await deleteLinks(tx, id);
  const endedSessions = await deleteSessions(tx, id);
  await change.note({
    action: "staff.disable",
    target: row.email,
    before: { disabled: false },
    after: { disabled: true, ended_sessions: endedSessions },
  });
  return reread(tx, id);
}

/** Lets somebody in again, as before. */
export async function enableStaff(tx: Tx, change: StaffChange, id: string): Promise<StaffRow> {
  const row = await lockedRow(tx, id);
  if (!row.disabled) return row;
  await updateStaff(tx, id, { ...row, disabled: false });
  const [before, after] = [{ disabled: true }, { disabled: false }];
  await change.note({ action: "staff.enable", target: row.email, before, after });
  return reread(tx, id);
}

/** Takes password and sessions, and gives a link to begin anew with. */
export async function resetStaff(tx: Tx, change: StaffChange, id: string): Promise<Invited> {
  const row = await lockedRow(tx, id);
  refuseSelf(change, id, "Change your own password under Settings; only another admin can reset it.");
  if (row.disabled)
    throw new AppError("state-conflict", `${row.email} is disabled. Enable the account first.`, {
      members: { state: "disabled" },
    });
  await forgetPassword(tx, id);
  const endedSessions = await deleteSessions(tx, id);
  const link = await makeSignInLink(tx, { userId: id, email: row.email, ...change });
  await change.note({ action: "staff.reset", target: row.email, after: { ended_sessions: endedSessions } });
  return { row: await reread(tx, id), link };
}

/** Takes authenticator app, backup codes and passkeys from somebody who has lost them, and ends their sessions. */
export async function resetFactors(tx: Tx, change: StaffChange, id: string): Promise<StaffRow> {
  const row = await lockedRow(tx, id);
  refuseSelf(change, id, "Change your own under Settings; only another admin can reset them.");
  const { twoFactor, passkeys } = await forgetFactors(tx, id);
  const endedSessions = await deleteSessions(tx, id);
  await change.note({
    action: "staff.reset_second_factors",
    target: row.email,
    before: { two_factor: twoFactor, passkeys },
    after: { two_factor: false, passkeys: 0, ended_sessions: endedSessions },
  });
  return reread(tx, id);
}

async function lockedRow(tx: Tx, id: string): Promise<StaffRow> {
  await lockStaff(tx);
  return reread(tx, id);
}

async function reread(tx: Tx, id: string): Promise<StaffRow> {
  const row = await findStaffRow(tx, id);
  if (!row) throw notFound();
  return row;
}

function refuseSelf({ actorId }: StaffChange, id: string, detail: string): void {
  if (actorId === id) throw new AppError("forbidden", detail);
}

async function requireOtherAdmin(tx: Tx, { id, email }: StaffRow): Promise<void> {
  if ((await countOtherAdmins(tx, id)) > 0) return;
  throw new AppError(
    "state-conflict",
    `${email} is the last admin who can sign in. Make somebody else an admin first.`,
    { members: { state: "last_admin" } },
  );
}
