import { betterAuth } from "better-auth";
import { drizzleAdapter } from "better-auth/adapters/drizzle";
import { uuidv7 } from "uuidv7";
import { ROLES } from "#contracts/scopes.ts";
import { MIN_PASSWORD_LENGTH } from "#contracts/staff.ts";
import type { Db } from "#db/client.ts";
import {
  staffAccounts,
  staffRateLimits,
  staffSessions,
  staffUsers,
  staffVerifications,
} from "#db/schema/staff.ts";
import type { Logger } from "../log/logger.ts";
import { noteLinkUse } from "./note-link-use.ts";
import { CLIENT_ADDRESS_HEADER, refuseDisabled, signInHooks } from "./sign-in-hooks.ts";
import { storedIdentifier } from "./sign-in-link.ts";

/** Where sign-in lives below the origin. */
export const AUTH_PATH = "/api/auth";

const SESSION_SECONDS = 12 * 60 * 60;
const SIGN_INS = { window: 60, max: 10 };

export interface AuthOptions {
  db: Db;
  /** Origin under which browsers reach the console, such as `https://posthorn.example`. */
  origin: string;
  /** At least 32 characters; signs the session cookie. */
  secret: string;
  log: Logger;
}

/**
 * Sign-in of the console's staff: e-mail and password, sessions in the database that end 12 hours after sign-in.
 * Nobody can sign up; roles are a field that no request can set. Sign-in takes 10 tries a minute per address.
 */
export function createAuth({ db, origin, secret, log }: AuthOptions) {
  const isSecure = origin.startsWith("https://");
  return betterAuth({
    appName: "Posthorn",
    baseURL: origin,
    basePath: AUTH_PATH,
    secret,
    trustedOrigins: trustedOrigins(origin),
    // `transaction: false`: drizzle's own transactions leak a client when BEGIN fails.
    database: drizzleAdapter(db.orm, {
      provider: "pg",
      transaction: false,
      schema: {
        user: staffUsers,
        session: staffSessions,
        account: staffAccounts,
        verification: staffVerifications,
        rateLimit: staffRateLimits,
      },
    }),
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: MIN_PASSWORD_LENGTH,
      // By the link of an invitation or a reset: see `sign-in-link.ts`.
      revokeSessionsOnPasswordReset: true,
      onPasswordReset: ({ user }) => noteLinkUse(db, user.email),
    },
    verification: { storeIdentifier: { hash: async (identifier) => storedIdentifier(identifier) } },
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
      customRules: {
        "/sign-in/email": SIGN_INS,
        "/reset-password": SIGN_INS,
        "/get-session": false,
        "/sign-out": false,
      },
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

const LOOPBACK_NAMES = ["localhost", "127.0.0.1", "[::1]"];

/**
 * The origins whose pages may act with the session cookie: the configured one, and where that is this very machine
 * its other spellings too, since people open `localhost` where `127.0.0.1` was printed.
 */
export function trustedOrigins(origin: string): string[] {
  const url = new URL(origin);
  if (!LOOPBACK_NAMES.includes(url.hostname)) return [url.origin];
  return LOOPBACK_NAMES.map((name) => `${url.protocol}//${name}${url.port ? `:${url.port}` : ""}`);
}
