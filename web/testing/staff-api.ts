import { hashPassword } from "better-auth/crypto";
import { ROLES, type Role } from "#contracts/scopes.ts";
import { withTransaction } from "#db/client.ts";
import { insertStaff } from "#db/queries/staff.ts";
import { openTestApi, type TestApi } from "../test-support.ts";

/** What everybody signs in with here: that of the contract's examples. */
export const PASSWORD = "correct horse battery staple";

/** A member of staff whose session has just begun. */
export const staffOf = (role: Role, userId: string = role) => ({
  userId,
  email: `${role}@example.com`,
  role,
  sessionId: `session-${userId}`,
  confirmedAt: new Date(),
});

/**
 * Opens the API with members of staff: the cookie `role=<role>` is the session of one, `role=<role>.<name>` of another.
 * Those without a name are in the database too.
 */
export async function openStaffApi(): Promise<TestApi> {
  const api = await openTestApi({
    findStaff: async (cookie) => {
      const [, given, name = "one"] = /^role=(\w+)(?:\.(\w+))?$/.exec(cookie) ?? [];
      const role = ROLES.find((known) => known === given);
      return role ? staffOf(role, `${role}-${name}`) : null;
    },
  });
  const passwordHash = await hashPassword(PASSWORD);
  await withTransaction(api.services.db, async (tx) => {
    for (const role of ROLES) {
      const { userId: id, email } = staffOf(role, `${role}-one`);
      await insertStaff(tx, { id, accountId: `account-${id}`, email, name: role, role, passwordHash });
    }
  });
  return api;
}
