import { type Db, type Tx, withTransaction } from "#db/client.ts";
import type { AuditEntry } from "../audit/append-audit.ts";
import type { Keyring } from "../crypto/keyring.ts";
import { passwordGuard } from "./password-guard.ts";
import { takeCode } from "./second-factor.ts";

/** How a try to prove oneself by a code went. */
export type Proof = { is: "right" } | { is: "wrong" } | { is: "locked"; lockedMs: number };

interface Try {
  userId: string;
  email: string;
  code: string;
  /** From where: an address, or a session that is there. Wrong codes are counted for the account from there alone. */
  place: string;
}

/**
 * Takes a code, once, unless too many wrong ones came from this place: what others try elsewhere keeps nobody out. The use
 * of a backup code is noted.
 */
export async function proveCode(
  { db, keyring, now }: { db: Db; keyring: Keyring; now(): Date },
  { userId, email, code, place }: Try,
  note: (tx: Tx, entry: Omit<AuditEntry, "target">) => Promise<void>,
): Promise<Proof> {
  const guard = passwordGuard(db, email, `code, ${place}`, now);
  const lockedMs = await guard.lockedMs();
  if (lockedMs > 0) return { is: "locked", lockedMs };
  const taken = await withTransaction(db, async (tx) => {
    const found = await takeCode(tx, keyring, { userId, code, now: now() });
    if (found?.kind === "backup")
      await note(tx, { action: "staff.use_backup_code", after: { backup_codes_left: found.left } });
    return found;
  });
  await (taken ? guard.passed() : guard.failed());
  return { is: taken ? "right" : "wrong" };
}
