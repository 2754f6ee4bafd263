import { ROLES, type Role } from "#contracts/scopes.ts";
import type { Auth } from "./auth.ts";

export interface Staff {
  userId: string;
  email: string;
  role: Role;
  sessionId: string;
  /** When the password was last given in this session. */
  confirmedAt: Date;
}

/** The member of staff whose live session the `Cookie` header names, or `null`. Reads the database each time. */
export async function findStaff(auth: Auth, cookieHeader: string | null | undefined): Promise<Staff | null> {
  if (!cookieHeader) return null;
  const found = await auth.api.getSession({ headers: new Headers({ cookie: cookieHeader }) });
  if (!found || found.user.banned) return null;
  const role = ROLES.find((name) => name === found.user.role);
  if (!role) return null;
  const { user, session } = found;
  // What is not known lies far back.
  const confirmedAt = new Date(session.confirmedAt ?? 0);
  return { userId: user.id, email: user.email, role, sessionId: session.id, confirmedAt };
}
