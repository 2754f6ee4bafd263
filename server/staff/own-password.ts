import { verifyPassword } from "better-auth/crypto";
import type { Db, Tx } from "#db/client.ts";
import { passwordHashOfUser } from "#db/queries/manage-staff.ts";
import { deletePendingSignIns } from "#db/queries/second-factors.ts";
import { replacePassword } from "#db/queries/staff.ts";
import { confirmSession, deleteOtherSessions } from "#db/queries/staff-sessions.ts";
import { type AuditEntry, appendAudit } from "../audit/append-audit.ts";
import type { Ctx } from "../context.ts";
import { AppError, validationError } from "../errors.ts";
import { passwordGuard } from "./password-guard.ts";
import { proveCode } from "./prove-code.ts";
import { hasTwoFactor } from "./second-factor.ts";

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
  if (lockedMs > 0) throw tooMany("passwords", lockedMs);
  const hash = await passwordHashOfUser(db, userId);
  if (hash !== null && (await verifyPassword({ hash, password }))) return guard.passed();
  await guard.failed();
  throw validationError([{ detail: "This is not your password.", pointer }]);
}

/** Sees to it that a code is right where two-factor is on; as `requireOwnPassword` does. */
export async function requireOwnCode(ctx: Ctx, own: Own, code: string | undefined): Promise<void> {
  if (!(await hasTwoFactor(ctx.db, own.userId))) return;
  const wrong = (detail: string) => validationError([{ detail, pointer: "#/code" }]);
  if (code === undefined) throw wrong("Two-factor is on: this needs a code too.");
  const place = `session ${own.sessionId}`;
  const proof = await proveCode(ctx, { ...own, code, place }, (tx, entry) =>
    appendAudit(tx, ctx, { ...entry, target: own.email }),
  );
  if (proof.is === "locked") throw tooMany("codes", proof.lockedMs);
  if (proof.is === "wrong") throw wrong("The code is wrong, or was used before.");
}

const tooMany = (what: string, lockedMs: number) =>
  new AppError(
    "rate-limited",
    `Too many wrong ${what}. Wait ${Math.ceil(lockedMs / 1000)} s, then try again.`,
  );

/** Notes that password, and code where there is one, were given just now in this session. */
export async function reauthenticate(tx: Tx, note: Note, own: Own, now: Date): Promise<void> {
  await confirmSession(tx, own.sessionId, now);
  await note({ action: "staff.reauthenticate", target: own.email });
}

/**
 * Sets one's own password and ends all other sessions: whoever knew the old one is out. With two-factor on it proves
 * nothing for what needs a recent sign-in, since no code was given.
 */
export async function changeOwnPassword(
  tx: Tx,
  note: Note,
  own: Own,
  { passwordHash, now }: { passwordHash: string; now: Date },
): Promise<void> {
  await replacePassword(tx, { userId: own.userId, passwordHash, at: now });
  const endedSessions = await deleteOtherSessions(tx, own.userId, own.sessionId);
  await deletePendingSignIns(tx, own.userId);
  if (!(await hasTwoFactor(tx, own.userId))) await confirmSession(tx, own.sessionId, now);
  await note({
    action: "staff.change_password",
    target: own.email,
    after: { ended_sessions: endedSessions },
  });
}
