import { bigint, boolean, index, integer, pgTable, text, timestamp } from "drizzle-orm/pg-core";

// The tables that better-auth keeps for the people of the console. Names of columns are its own.
const at = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });

export const staffUsers = pgTable("staff_users", {
  id: text().primaryKey(),
  name: text().notNull(),
  email: text().notNull().unique(),
  emailVerified: boolean("email_verified").notNull().default(false),
  image: text(),
  createdAt: at("created_at").notNull().defaultNow(),
  updatedAt: at("updated_at").notNull().defaultNow(),
  role: text().notNull().default("viewer"),
  banned: boolean().default(false),
  banReason: text("ban_reason"),
  banExpires: at("ban_expires"),
  // Whether a password alone does not let in.
  twoFactorEnabled: boolean("two_factor_enabled").notNull().default(false),
});

export const staffSessions = pgTable(
  "staff_sessions",
  {
    id: text().primaryKey(),
    token: text().notNull().unique(),
    userId: text("user_id")
      .notNull()
      .references(() => staffUsers.id, { onDelete: "cascade" }),
    expiresAt: at("expires_at").notNull(),
    createdAt: at("created_at").notNull().defaultNow(),
    updatedAt: at("updated_at").notNull().defaultNow(),
    ipAddress: text("ip_address"),
    userAgent: text("user_agent"),
    impersonatedBy: text("impersonated_by"),
    // When the password was last given in this session.
    confirmedAt: at("confirmed_at").notNull().defaultNow(),
  },
  (t) => [index("staff_sessions_of_user").on(t.userId)],
);

export const staffAccounts = pgTable(
  "staff_accounts",
  {
    id: text().primaryKey(),
    accountId: text("account_id").notNull(),
    providerId: text("provider_id").notNull(),
    userId: text("user_id")
      .notNull()
      .references(() => staffUsers.id, { onDelete: "cascade" }),
    accessToken: text("access_token"),
    refreshToken: text("refresh_token"),
    idToken: text("id_token"),
    accessTokenExpiresAt: at("access_token_expires_at"),
    refreshTokenExpiresAt: at("refresh_token_expires_at"),
    scope: text(),
    password: text(),
    createdAt: at("created_at").notNull().defaultNow(),
    updatedAt: at("updated_at").notNull().defaultNow(),
  },
  (t) => [index("staff_accounts_of_user").on(t.userId)],
);

export const staffVerifications = pgTable("staff_verifications", {
  id: text().primaryKey(),
  identifier: text().notNull(),
  value: text().notNull(),
  expiresAt: at("expires_at").notNull(),
  createdAt: at("created_at").notNull().defaultNow(),
  updatedAt: at("updated_at").notNull().defaultNow(),
});

export const staffRateLimits = pgTable("staff_rate_limits", {
  id: text().primaryKey(),
  key: text().notNull().unique(),
  count: integer().notNull(),
  lastRequest: bigint("last_request", { mode: "number" }).notNull(),
});

/** The authenticator app of somebody, from when its set-up was begun. */
export const staffTwoFactors = pgTable("staff_two_factors", {
  id: text().primaryKey(),
  userId: text("user_id")
    .notNull()
    .unique()
    .references(() => staffUsers.id, { onDelete: "cascade" }),
  // Sealed: codes cannot be checked against a digest.
  secret: text().notNull(),
  /** Digests of the backup codes that are left. */
  backupCodes: text("backup_codes").array().notNull(),
  /** Whether a code was given once: before that nobody is asked for one. */
  verified: boolean().notNull().default(false),
  /** The time step of the last code that was taken; it and what lies before are of no use any more. */
  lastStep: bigint("last_step", { mode: "number" }).notNull().default(0),
  createdAt: at("created_at").notNull().defaultNow(),
});

export const staffPasskeys = pgTable(
  "staff_passkeys",
  {
    id: text().primaryKey(),
    userId: text("user_id")
      .notNull()
      .references(() => staffUsers.id, { onDelete: "cascade" }),
    name: text().notNull(),
    credentialID: text("credential_id").notNull().unique(),
    publicKey: text("public_key").notNull(),
    counter: bigint({ mode: "number" }).notNull(),
    deviceType: text("device_type").notNull(),
    backedUp: boolean("backed_up").notNull(),
    transports: text(),
    aaguid: text(),
    createdAt: at("created_at").notNull().defaultNow(),
    lastUsedAt: at("last_used_at"),
  },
  (t) => [index("staff_passkeys_of_user").on(t.userId)],
);

/** Wrong passwords in a row, by a digest of account and place: a lock for one place is none for another. */
export const staffPasswordFailures = pgTable("staff_password_failures", {
  key: text().primaryKey(),
  count: integer().notNull(),
  lastAt: at("last_at").notNull(),
});
