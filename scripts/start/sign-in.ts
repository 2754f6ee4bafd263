import { readFileSync } from "node:fs";
import { join } from "node:path";
import { passwordHashOf } from "#db/queries/staff.ts";
import type { Services } from "#server/context.ts";
import { createAuth } from "#server/staff/auth.ts";
import { ensureFirstAdmin } from "#server/staff/create-admin.ts";
import { writePrivateJson } from "./private-file.ts";

export interface SignIn {
  email: string;
  /** `null` when it was printed at an earlier start: only its hash is kept. */
  password: string | null;
}

const ADMIN = { email: "admin@posthorn.local", name: "Admin" };

/**
 * Makes the first admin of the console when there is no staff yet. The password is printed once; a demo keeps it in the
 * data folder, because `demo.json` tells it at every start.
 */
export async function ensureSignIn(
  services: Services,
  { origin, dataDir, rememberPassword }: { origin: string; dataDir: string; rememberPassword: boolean },
): Promise<SignIn> {
  const { db, keyring, log } = services;
  const auth = createAuth({ db, origin, keyring, log });
  const path = join(dataDir, "demo-sign-in.json");
  const made = await ensureFirstAdmin({ auth, db }, ADMIN);
  if (made && rememberPassword) writePrivateJson(path, made);
  if (made) return made;
  const known = remembered(path);
  const hash = known?.password && (await passwordHashOf(db, known.email));
  const { password: hasher } = await auth.$context;
  // It may have been changed since.
  const isCurrent = known?.password && hash && (await hasher.verify({ hash, password: known.password }));
  return isCurrent ? known : { email: ADMIN.email, password: null };
}

function remembered(path: string): SignIn | undefined {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as SignIn;
  } catch {
    return undefined;
  }
}
