import { ROLE_SCOPES, ROLES, type Role, type Scope } from "#contracts/scopes.ts";
import { holds } from "./session.ts";

/** Why whoever looks may not do what needs a scope; `null` when they may. `what` completes "may not …". */
export type Refuse = (scope: Scope, what: string) => string | null;

/** Why somebody of this role may not do what needs `scope`, and whom to ask; `null` when they may. */
export function roleRefusal(role: Role, scope: Scope, what: string): string | null {
  if (holds(role, scope)) return null;
  const least = ROLES.find((each) => ROLE_SCOPES[each].includes(scope)) ?? "admin";
  return `Your role, ${role}, may not ${what}. Ask somebody with the role ${least}.`;
}
