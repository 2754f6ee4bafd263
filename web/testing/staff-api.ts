import { ROLES } from "#contracts/scopes.ts";
import { openTestApi, type TestApi } from "../test-support.ts";

/** Opens the API with members of staff: the cookie `role=<role>` is the session of one, `role=<role>.<name>` of another. */
export function openStaffApi(): Promise<TestApi> {
  return openTestApi({
    findStaff: async (cookie) => {
      const [, given, name = "one"] = /^role=(\w+)(?:\.(\w+))?$/.exec(cookie) ?? [];
      const role = ROLES.find((known) => known === given);
      return role ? { userId: `${role}-${name}`, email: `${role}@example.com`, role } : null;
    },
  });
}
