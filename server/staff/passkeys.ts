import { passkey } from "@better-auth/passkey";
import type { BetterAuthPlugin } from "better-auth";
import { APIError, createAuthMiddleware, getSessionFromCtx } from "better-auth/api";
import { MAX_PASSKEYS, PasskeyName } from "#contracts/second-factors.ts";
import { type Db, withTransaction } from "#db/client.ts";
import { passwordHashOfUser } from "#db/queries/manage-staff.ts";
import { findPasskeyOwner, listPasskeys, notePasskeyUse } from "#db/queries/second-factors.ts";
import { deleteSession } from "#db/queries/staff-sessions.ts";
import { isRecent } from "./is-recent.ts";
import { noteOwn } from "./note-own.ts";
import { LOOPBACK_NAMES, trustedOrigins } from "./origins.ts";

const REGISTER = ["/passkey/generate-register-options", "/passkey/verify-registration"];
const VERIFY = ["/passkey/verify-registration", "/passkey/verify-authentication"];

type Context = Parameters<typeof getSessionFromCtx>[0];

/**
 * Passkeys (WebAuthn level 3): they prove possession and, by the device's PIN or finger, the person, so that they let in
 * alone. Without that second proof none is taken, neither to add nor to sign in.
 */
export function passkeyPlugins({ db, origin }: { db: Db; origin: string }) {
  const rpID = rpIdOf(origin);
  return [
    passkey({
      rpID,
      rpName: "Posthorn",
      origin: trustedOrigins(origin).filter((each) => new URL(each).hostname === rpID),
      authenticatorSelection: { residentKey: "required", userVerification: "required" },
      registration: {
        afterVerification: async ({ verification, ctx, user }) => {
          if (!verification.registrationInfo?.userVerified) throw unverified();
          const name = String(ctx.body.name);
          // Before it is stored: none is there without an entry.
          await withTransaction(db, (tx) =>
            noteOwn(tx, user.name, { action: "staff.add_passkey", after: { name } }),
          );
        },
      },
      authentication: {
        afterVerification: async ({ verification, ctx, clientData }) => {
          if (!verification.authenticationInfo.userVerified) throw unverified();
          await beforePasskeySession(db, ctx, clientData.id);
        },
      },
    }),
    passkeyRules(db),
  ];
}

/**
 * The name that passkeys are bound to: that of the origin. This very machine is `localhost`, since an IP address can be
 * none (WebAuthn §5.1.2).
 */
export function rpIdOf(origin: string): string {
  const { hostname } = new URL(origin);
  return LOOPBACK_NAMES.includes(hostname) ? "localhost" : hostname;
}

/** What must hold before a passkey begins a session. Where there is one of the same person, the new one replaces it. */
async function beforePasskeySession(db: Db, ctx: Context, credentialId: string): Promise<void> {
  const owner = await findPasskeyOwner(db, credentialId);
  const current = await getSessionFromCtx(ctx);
  if (!owner || (current && current.user.id !== owner.userId))
    throw new APIError("FORBIDDEN", { code: "OTHER_PERSON", message: "This passkey is somebody else's." });
  if ((await passwordHashOfUser(db, owner.userId)) === null)
    throw new APIError("FORBIDDEN", { code: "LINK_NEEDED", message: "Set a password by the link first." });
  await withTransaction(db, async (tx) => {
    await notePasskeyUse(tx, credentialId, new Date());
    if (!current) return;
    await deleteSession(tx, owner.userId, current.session.id);
    await noteOwn(tx, current.user.email, { action: "staff.reauthenticate", after: { passkey: owner.name } });
  });
}

const unverified = () =>
  new APIError("BAD_REQUEST", { code: "NOT_VERIFIED", message: "The device did not check who uses it." });

/** Adding one needs a recent sign-in and a name, and begins no session. Answers tell nothing of keys and sessions. */
function passkeyRules(db: Db): BetterAuthPlugin {
  return {
    id: "passkey-rules",
    hooks: {
      before: [
        {
          matcher: ({ path }) => REGISTER.includes(path ?? ""),
          handler: createAuthMiddleware(async (ctx) => {
            const current = await getSessionFromCtx(ctx);
            if (!current) throw new APIError("UNAUTHORIZED", { message: "Sign in first." });
            if (!isRecent(new Date(current.session.confirmedAt ?? 0), new Date()))
              throw new APIError("FORBIDDEN", {
                code: "REAUTHENTICATION_REQUIRED",
                message: "Prove again who you are; then this can be repeated.",
              });
            if ((await listPasskeys(db, current.user.id)).length >= MAX_PASSKEYS)
              throw new APIError("CONFLICT", { code: "TOO_MANY_PASSKEYS", message: "Remove one first." });
            if (ctx.path !== "/passkey/verify-registration") return undefined;
            const name = PasskeyName.safeParse(ctx.body?.name);
            if (!name.success)
              throw new APIError("BAD_REQUEST", {
                code: "NAME_NEEDED",
                message: "Give it a name of 1 to 100 characters.",
              });
            return { context: { body: { name: name.data, createSession: false } } };
          }),
        },
      ],
      after: [
        {
          matcher: ({ path }) => VERIFY.includes(path ?? ""),
          handler: createAuthMiddleware(async (ctx) => {
            return ctx.context.returned instanceof APIError ? undefined : ctx.json({ status: true });
          }),
        },
      ],
    },
  };
}
