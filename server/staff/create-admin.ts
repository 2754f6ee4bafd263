import { uuidv7 } from "uuidv7";
import { type Db, withTransaction } from "#db/client.ts";
import { hasStaff, insertStaff, lockStaff } from "#db/queries/staff.ts";
import type { Auth } from "./auth.ts";
import { readablePassword } from "./password.ts";

export interface FirstAdmin {
  email: string;
  /** Shown this once: only its hash is stored. */
  password: string;
}

/**
 * Makes the first admin when there is no staff at all, and gives its password; `null` when somebody is there already.
 * Processes that start at the same moment make one admin between them, and one of them learns the password.
 */
export async function ensureFirstAdmin(
  deps: { auth: Auth; db: Db },
  { email, name }: { email: string; name: string },
): Promise<FirstAdmin | null> {
  if (await hasStaff(deps.db)) return null;
  const password = readablePassword();
  const { password: hasher } = await deps.auth.$context;
  const passwordHash = await hasher.hash(password);
  return withTransaction(deps.db, async (tx) => {
    await lockStaff(tx);
    if (await hasStaff(tx)) return null;
    const user = { id: uuidv7(), accountId: uuidv7(), email: email.toLowerCase(), name };
    await insertStaff(tx, { ...user, role: "admin", passwordHash });
    return { email: user.email, password };
  });
}
