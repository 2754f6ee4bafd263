import type { BetterAuthPlugin } from "better-auth";
import { APIError, createAuthEndpoint } from "better-auth/api";
import { expireCookie, setSessionCookie } from "better-auth/cookies";
import { twoFactor } from "better-auth/plugins/two-factor";
import * as z from "zod";
import type { Db } from "#db/client.ts";
import type { Keyring } from "../crypto/keyring.ts";
import { noteOwn } from "./note-own.ts";
import { passwordGuard } from "./password-guard.ts";
import { proveCode } from "./prove-code.ts";
import { CLIENT_ADDRESS_HEADER } from "./sign-in-hooks.ts";

/** Where the code of a sign-in is given, below the path of sign-in. */
export const SECOND_STEP = "/two-factor/verify";

// The cookie in which the library's plugin keeps a sign-in whose password was right.
const PENDING_COOKIE = "two_factor";
/** How long a right password waits for its code. */
const WAIT_SECONDS = 600;
const LONGEST_CODE = 64;

/**
 * The second step of a sign-in: the library's plugin makes a right password wait, and here a code of the authenticator app
 * or a backup code is given; only then is there a session. This takes the place of the library's own step, in which a code
 * counts more than once, wrong ones lock the account for everybody, its owner too, and secrets outlive no root key.
 *
 * A wrong code counts against the account from this address, as wrong passwords do, and against the sign-in that waits:
 * after ten of them it is over, and the password is asked for again.
 */
export function secondStep({ db, keyring }: { db: Db; keyring: Keyring }) {
  const now = () => new Date();
  const verify = createAuthEndpoint(
    SECOND_STEP,
    { method: "POST", body: z.object({ code: z.string().max(LONGEST_CODE) }) },
    async (ctx) => {
      const cookie = ctx.context.createAuthCookie(PENDING_COOKIE);
      const { internalAdapter } = ctx.context;
      const over = () => {
        expireCookie(ctx, cookie);
        return new APIError("UNAUTHORIZED", {
          code: "SIGN_IN_OVER",
          message: "This sign-in is over. Begin again.",
        });
      };
      const pending = await ctx.getSignedCookie(cookie.name, ctx.context.secret);
      const waiting = pending ? await internalAdapter.findVerificationValue(pending) : null;
      if (!pending || !waiting || waiting.expiresAt <= now()) throw over();
      const user = await internalAdapter.findUserById(waiting.value);
      if (!user) throw over();

      const place = `address ${ctx.headers?.get(CLIENT_ADDRESS_HEADER) ?? ""}`;
      const { code } = ctx.body;
      const proof = await proveCode(
        { db, keyring, now },
        { userId: user.id, email: user.email, code, place },
        (tx, entry) => noteOwn(tx, user.email, entry),
      );
      if (proof.is === "locked") throw locked(proof.lockedMs);
      if (proof.is === "wrong") {
        const ofThisSignIn = passwordGuard(db, pending, "this sign-in", now);
        await ofThisSignIn.failed();
        if ((await ofThisSignIn.lockedMs()) === 0) throw wrong();
        await internalAdapter.consumeVerificationValue(pending);
        throw over();
      }
      // Of two requests at once one gets a session.
      const consumed = await internalAdapter.consumeVerificationValue(pending);
      if (consumed?.value !== user.id) throw over();
      await setSessionCookie(ctx, { session: await internalAdapter.createSession(user.id), user });
      expireCookie(ctx, cookie);
      return ctx.json({ status: true });
    },
  );
  // Of the library's plugin no endpoint is there, and of its table nothing that only those use.
  const { id, hooks, schema } = twoFactor({ twoFactorCookieMaxAge: WAIT_SECONDS });
  const { userId, secret, backupCodes, verified } = schema.twoFactor.fields;
  return {
    ...{ id, hooks },
    endpoints: { verifySecondStep: verify },
    schema: { user: schema.user, twoFactor: { fields: { userId, secret, backupCodes, verified } } },
  } satisfies BetterAuthPlugin;
}

const wrong = () => new APIError("UNAUTHORIZED", { code: "WRONG_CODE", message: "The code is wrong." });

const locked = (ms: number) =>
  new APIError(
    "TOO_MANY_REQUESTS",
    { message: "Too many wrong codes." },
    { "x-retry-after": String(Math.ceil(ms / 1000)) },
  );
