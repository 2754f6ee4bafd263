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
const SIGN_INS_PER_MINUTE = 10;
const rateRules = (signIns: number) => {
  const tries = { window: 60, max: signIns };
  return {
    "/sign-in/email": tries,
    "/reset-password": tries,
    [SECOND_STEP]: tries,
    "/passkey/verify-authentication": tries,
    "/passkey/*": { window: 60, max: 3 * signIns },
    "/get-session": false,
    "/sign-out": false,
  } as const;
};

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
  /** From each address; 10 by default. */
  signInsPerMinute?: number;
}

/**
 * Sign-in of the console's staff: e-mail and password, then a code where two-factor is on, or a passkey; sessions in the
 * database that end 12 hours after sign-in. Nobody can sign up; roles are a field that no request can set. Sign-in takes
 * so many tries a minute per address.
 */
export function createAuth({
  db,
  origin,
  keyring,
  log,
  signInsPerMinute = SIGN_INS_PER_MINUTE,
}: AuthOptions) {
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
      customRules: rateRules(signInsPerMinute),
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
