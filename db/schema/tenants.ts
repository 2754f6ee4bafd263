import {
  foreignKey,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { bytea, int64, moment } from "./types.ts";

export const tenants = pgTable(
  "tenants",
  {
    id: uuid().primaryKey(),
    name: text().notNull(),
    /** Requests and published events per second; absent is the setting, 0 no limit. */
    requestRate: integer("request_rate"),
    eventRate: integer("event_rate"),
    /** Days for which events, deliveries and attempts are kept; absent is the setting. */
    retentionDays: integer("retention_days"),
    createdAt: moment("created_at").notNull().defaultNow(),
  },
  (t) => [index("tenants_list").on(t.createdAt, t.id)],
);

/** The last sequence given out per tenant: one row that a publishing transaction takes last; and the last one that retention has purged. */
export const tenantSequences = pgTable("tenant_sequences", {
  tenantId: uuid("tenant_id")
    .primaryKey()
    .references(() => tenants.id),
  last: int64().notNull(),
  purged: int64().notNull().default("0"),
});

/** An API key. Of its secret only the SHA-256 is kept. `principal_id` outlives a rotation of the secret. */
export const apiKeys = pgTable(
  "api_keys",
  {
    tenantId: uuid("tenant_id").notNull(),
    id: uuid().notNull(),
    principalId: uuid("principal_id").notNull(),
    publicId: text("public_id").notNull(),
    secretHash: bytea("secret_hash").notNull(),
    name: text().notNull(),
    scopes: text().array().notNull(),
    createdAt: moment("created_at").notNull().defaultNow(),
    expiresAt: moment("expires_at"),
    revokedAt: moment("revoked_at"),
    lastUsedAt: moment("last_used_at"),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.id] }),
    // The one look-up before a tenant is known.
    uniqueIndex("api_keys_public_id").on(t.publicId),
    foreignKey({ columns: [t.tenantId], foreignColumns: [tenants.id] }),
  ],
);

/** A link to the consumer portal. Of its token only the SHA-256 is kept. */
export const portalLinks = pgTable(
  "portal_links",
  {
    tenantId: uuid("tenant_id").notNull(),
    id: uuid().notNull(),
    tokenHash: bytea("token_hash").notNull(),
    name: text().notNull(),
    access: text().array().notNull(),
    themeName: text("theme_name"),
    accentColor: text("accent_color"),
    /** A `data:` URL. */
    logoUrl: text("logo_url"),
    frameAncestors: text("frame_ancestors").array().notNull(),
    createdBy: text("created_by").notNull(),
    createdAt: moment("created_at").notNull(),
    expiresAt: moment("expires_at").notNull(),
    revokedAt: moment("revoked_at"),
    lastUsedAt: moment("last_used_at"),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.id] }),
    // The one look-up before a tenant is known.
    uniqueIndex("portal_links_token").on(t.tokenHash),
    index("portal_links_list").on(t.tenantId, t.createdAt, t.id),
    // Which are to be purged.
    index("portal_links_end").on(t.expiresAt),
    foreignKey({ columns: [t.tenantId], foreignColumns: [tenants.id] }),
  ],
);
