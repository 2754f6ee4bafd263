import type { BetterAuthOptions } from "better-auth";
import { APIError, createAuthMiddleware } from "better-auth/api";
import type { Db } from "#db/client.ts";
import { passwordGuard } from "./password-guard.ts";

/** Carries the peer address from the node handler to the rate limit; whatever a client sends under this name is dropped. */
export const CLIENT_ADDRESS_HEADER = "posthorn-client-address";

const SIGN_IN = "/sign-in/email";

interface Attempt {
  path: string;
  body?: unknown;
  headers?: Headers | undefined;
}

/** The account that is tried and from where; `undefined` for other calls. An account need not exist. */
function guardOf(db: Db, { path, body, headers }: Attempt) {
  if (path !== SIGN_IN || typeof body !== "object" || body === null || !("email" in body)) return undefined;
  const place = `address ${headers?.get(CLIENT_ADDRESS_HEADER) ?? ""}`;
  return passwordGuard(db, String(body.email).toLowerCase(), place, () => new Date());
}

/** Makes whoever keeps guessing wait: for this account from this address, so that its owner is not kept out with them. */
export function signInHooks(db: Db) {
  return {
    before: createAuthMiddleware(async (context) => {
      const lockedMs = (await guardOf(db, context)?.lockedMs()) ?? 0;
      if (lockedMs === 0) return;
      throw new APIError(
        "TOO_MANY_REQUESTS",
        { message: "Too many wrong passwords." },
        { "x-retry-after": String(Math.ceil(lockedMs / 1000)) },
      );
    }),
    after: createAuthMiddleware(async (context) => {
      const guard = guardOf(db, context);
      if (!guard) return;
      const { returned } = context.context;
      if (!(returned instanceof APIError)) return guard.passed();
      if (returned.status === "UNAUTHORIZED") await guard.failed();
    }),
  };
}

type SessionHook = NonNullable<
  NonNullable<NonNullable<NonNullable<BetterAuthOptions["databaseHooks"]>["session"]>["create"]>["before"]
>;

/** Begins no session for whoever is disabled. */
export const refuseDisabled: SessionHook = async ({ userId }, context) => {
  const user = await context?.context.internalAdapter.findUserById(userId);
  if (user && "banned" in user && user.banned)
    throw new APIError("FORBIDDEN", { code: "ACCOUNT_DISABLED", message: "The account is disabled." });
};
