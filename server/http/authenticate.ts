import { ROLE_SCOPES, type Role, type Scope } from "#contracts/scopes.ts";
import type { Actor, Services } from "../context.ts";
import { isPortalToken } from "../domain/portal-token.ts";
import { AppError } from "../errors.ts";
import { verifyApiKey } from "../keys/verify-api-key.ts";
import { verifyPortalToken } from "../portal/verify-portal-token.ts";
import { isRecent } from "../staff/is-recent.ts";
import type { ApiRequest } from "./message.ts";

export interface Staff {
  userId: string;
  email: string;
  role: Role;
  sessionId: string;
  /** When the password was last given in this session. */
  confirmedAt: Date;
}

/** The member of staff whose session a `Cookie` header names. */
export type FindStaff = (cookieHeader: string) => Promise<Staff | null>;

export interface Caller {
  actor: Actor;
  /** The tenant that an API key or a link is bound to; staff name theirs. */
  tenantId: string | undefined;
  /** What the tenant's own limits are, where they are not the setting's: units per second, 0 for no limit. */
  rates: { requests: number | null; events: number | null };
}

// The same words for every reason, so that nothing can be learnt from them.
const unauthenticated = () =>
  new AppError("unauthenticated", "A valid API key or a console session is needed.");

const BEARER = /^bearer +(\S+) *$/i;

const verifyBearer = (deps: Services, token: string): Promise<Caller | undefined> =>
  isPortalToken(token) ? verifyPortalToken(deps, token) : verifyApiKey(deps, token);

/** Who calls: the holder of the API key or of a link to the portal, else the member of staff of the session cookie; 401 when neither is valid. */
export async function authenticate(
  deps: Services,
  findStaff: FindStaff | undefined,
  request: ApiRequest,
): Promise<Caller> {
  const authorization = request.header("authorization");
  if (authorization !== undefined) {
    const token = BEARER.exec(authorization)?.[1];
    const holder = token === undefined ? undefined : await verifyBearer(deps, token);
    if (!holder) throw unauthenticated();
    return holder;
  }
  const cookie = request.header("cookie");
  const staff = cookie === undefined ? null : await findStaff?.(cookie);
  if (!staff) throw unauthenticated();
  const scopes = new Set(ROLE_SCOPES[staff.role]);
  return {
    actor: { kind: "staff", ...staff, principalId: `staff:${staff.userId}`, scopes },
    tenantId: undefined,
    rates: { requests: null, events: null },
  };
}

/** 403 unless the caller holds the scope. */
export function requireScope(actor: Actor, scope: Scope | null): void {
  if (scope !== null && !actor.scopes.has(scope))
    throw new AppError("forbidden", `This needs the scope ${scope}.`);
}

/** 403 to staff who have not proved lately who they are. An API key is no session that somebody may have left open. */
export function requireRecentSignIn(actor: Actor, now: Date): void {
  if (actor.kind === "staff" && !isRecent(actor.confirmedAt, now))
    throw new AppError("reauthentication-required", "Prove again who you are; then this can be repeated.");
}
