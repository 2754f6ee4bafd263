import { betterAuth } from "better-auth";
import { drizzleAdapter } from "better-auth/adapters/drizzle";
import { uuidv7 } from "uuidv7";
import { ROLES } from "#contracts/scopes.ts";
import { MIN_PASSWORD_LENGTH } from "#contracts/staff.ts";
import type { Db } from "#db/client.ts";
import {
  staffAccounts,
  staffPasskeys,
  staffRateLimits,
  staffSessions,
  staffTwoFactors,
  staffUsers,
  staffVerifications,
} from "#db/schema/staff.ts";
import type { Keyring } from "../crypto/keyring.ts";
import type { Logger } from "../log/logger.ts";
import { noteLinkUse } from "./note-link-use.ts";
import { trustedOrigins } from "./origins.ts";
import { passkeyPlugins } from "./passkeys.ts";
import { SECOND_STEP, secondStep } from "./second-step.ts";
import { CLIENT_ADDRESS_HEADER, refuseDisabled, signInHooks } from "./sign-in-hooks.ts";
import { storedIdentifier } from "./sign-in-link.ts";

/** Where sign-in lives below the origin. */
export const AUTH_PATH = "/api/auth";

const SESSION_SECONDS = 12 * 60 * 60;
const SIGN_INS = { window: 60, max: 10 };
const CHALLENGES = { window: 60, max: 30 };
const RATE_RULES = {
  "/sign-in/email": SIGN_INS,
  "/reset-password": SIGN_INS,
  [SECOND_STEP]: SIGN_INS,
  "/passkey/verify-authentication": SIGN_INS,
  "/passkey/*": CHALLENGES,
  "/get-session": false,
  "/sign-out": false,
} as const;

const TABLES = {
  user: staffUsers,
  session: staffSessions,
  account: staffAccounts,
  verification: staffVerifications,
  rateLimit: staffRateLimits,
  twoFactor: staffTwoFactors,
  passkey: staffPasskeys,
};

export interface AuthOptions {
  db: Db;
  /** Origin under which browsers reach the console, such as `https://posthorn.example`. */
  origin: string;
  /** What is derived from it signs the session cookie; it seals what authenticator apps know. */
  keyring: Keyring;
  log: Logger;
}

/**
 * Sign-in of the console's staff: e-mail and password, then a code where two-factor is on, or a passkey; sessions in the
 * database that end 12 hours after sign-in. Nobody can sign up; roles are a field that no request can set. Sign-in takes
 * 10 tries a minute per address.
 */
export function createAuth({ db, origin, keyring, log }: AuthOptions) {
  const isSecure = origin.startsWith("https://");
  return betterAuth({
    appName: "Posthorn",
    baseURL: origin,
    basePath: AUTH_PATH,
    secret: keyring.derive("session"),
    trustedOrigins: trustedOrigins(origin),
    // `transaction: false`: drizzle's own transactions leak a client when BEGIN fails.
    database: drizzleAdapter(db.orm, {
      provider: "pg",
      transaction: false,
      schema: TABLES,
    }),
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: MIN_PASSWORD_LENGTH,
      // By the link of an invitation or a reset: see `sign-in-link.ts`.
      revokeSessionsOnPasswordReset: true,
      onPasswordReset: ({ user }) => noteLinkUse(db, user),
    },
    verification: { storeIdentifier: { hash: async (identifier) => storedIdentifier(identifier) } },
    plugins: [secondStep({ db, keyring }), ...passkeyPlugins({ db, origin })],
    hooks: signInHooks(db),
    user: {
      additionalFields: {
        role: { type: [...ROLES], required: true, defaultValue: "viewer", input: false },
        banned: { type: "boolean", required: false, defaultValue: false, input: false },
      },
    },
    databaseHooks: { session: { create: { before: refuseDisabled } } },
    // Every call reads the session from the database, so that revoking one takes effect at once.
    session: {
      expiresIn: SESSION_SECONDS,
      disableSessionRefresh: true,
      cookieCache: { enabled: false },
      additionalFields: {
        confirmedAt: { type: "date", required: false, input: false, defaultValue: () => new Date() },
      },
    },
    rateLimit: {
      enabled: true,
      storage: "database",
      customRules: RATE_RULES,
    },
    advanced: {
      database: { generateId: () => uuidv7() },
      // `__Host-`: no other host of the domain can plant one. The library would put `__Secure-` before it.
      cookiePrefix: isSecure ? "__Host-posthorn" : "posthorn",
      useSecureCookies: false,
      // Strict: pages hold no data, so whoever follows a link from elsewhere is signed in none the less.
      defaultCookieAttributes: { httpOnly: true, sameSite: "strict", path: "/", secure: isSecure },
      ipAddress: { ipAddressHeaders: [CLIENT_ADDRESS_HEADER] },
      // Said outright, since the defaults differ under NODE_ENV=test.
      disableOriginCheck: false,
      disableCSRFCheck: false,
    },
    telemetry: { enabled: false },
    logger: {
      level: "warn",
      log: (level, message) => log[level === "error" ? "error" : "warn"]({ part: "auth" }, message),
    },
  });
}
export type Auth = ReturnType<typeof createAuth>;
