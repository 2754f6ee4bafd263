import { createHash } from "node:crypto";
import type { Db } from "#db/client.ts";
import {
  clearPasswordFailures,
  countPasswordFailure,
  findPasswordFailures,
} from "#db/queries/password-failures.ts";
import { FORGET_MS, lockedForMs } from "../domain/password-lock.ts";

/** Counts wrong passwords for one account from one place: an address, or a session that is already there. */
export interface PasswordGuard {
  /** Milliseconds until the next try counts; 0 is now. */
  lockedMs(): Promise<number>;
  failed(): Promise<void>;
  passed(): Promise<void>;
}

export function passwordGuard(db: Db, account: string, place: string, now: () => Date): PasswordGuard {
  const key = createHash("sha256")
    .update(JSON.stringify([account, place]))
    .digest("base64url");
  return {
    async lockedMs() {
      const failures = await findPasswordFailures(db, key);
      return failures ? lockedForMs(failures, now()) : 0;
    },
    failed: () => countPasswordFailure(db, key, now(), new Date(now().getTime() - FORGET_MS)),
    passed: () => clearPasswordFailures(db, key),
  };
}
