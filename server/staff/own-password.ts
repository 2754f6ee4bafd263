import { verifyPassword } from "better-auth/crypto";
import type { Db, Tx } from "#db/client.ts";
import { passwordHashOfUser } from "#db/queries/manage-staff.ts";
import { replacePassword } from "#db/queries/staff.ts";
import { confirmSession, deleteOtherSessions } from "#db/queries/staff-sessions.ts";
import type { AuditEntry } from "../audit/append-audit.ts";
import { AppError, validationError } from "../errors.ts";
import { passwordGuard } from "./password-guard.ts";

/** Whoever is signed in. */
export interface Own {
  userId: string;
  email: string;
  sessionId: string;
}

type Note = (entry: AuditEntry) => Promise<void>;

/**
 * Sees to it that a password is that of the one who is signed in: 422 at `pointer` when not, 429 after ten in a row.
 * They are counted for this session alone, so that a stolen one cannot be used to guess.
 */
export async function requireOwnPassword(
  { db, now }: { db: Db; now(): Date },
  { userId, email, sessionId }: Own,
  { password, pointer }: { password: string; pointer: string },
): Promise<void> {
  const guard = passwordGuard(db, email, `session ${sessionId}`, now);
  const lockedMs = await guard.lockedMs();
  if (lockedMs > 0) {
    const seconds = Math.ceil(lockedMs / 1000);
    throw new AppError("rate-limited", `Too many wrong passwords. Wait ${seconds} s, then try again.`);
  }
  const hash = await passwordHashOfUser(db, userId);
  if (hash !== null && (await verifyPassword({ hash, password }))) return guard.passed();
  await guard.failed();
  throw validationError([{ detail: "This is not your password.", pointer }]);
}

/** Notes that the password was given just now in this session. */
export async function reauthenticate(tx: Tx, note: Note, own: Own, now: Date): Promise<void> {
  await confirmSession(tx, own.sessionId, now);
  await note({ action: "staff.reauthenticate", target: own.email });
}

/** Sets one's own password and ends all other sessions: whoever knew the old one is out. */
export async function changeOwnPassword(
  tx: Tx,
  note: Note,
  own: Own,
  { passwordHash, now }: { passwordHash: string; now: Date },
): Promise<void> {
  await replacePassword(tx, { userId: own.userId, passwordHash, at: now });
  const endedSessions = await deleteOtherSessions(tx, own.userId, own.sessionId);
  await confirmSession(tx, own.sessionId, now);
  await note({
    action: "staff.change_password",
    target: own.email,
    after: { ended_sessions: endedSessions },
  });
}
