import { sql } from "drizzle-orm";
import {
  boolean,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uuid,
} from "drizzle-orm/pg-core";
import { tenants } from "./tenants.ts";
import { int64, moment } from "./types.ts";

export const endpoints = pgTable(
  "webhook_endpoints",
  {
    tenantId: uuid("tenant_id").notNull(),
    id: uuid().notNull(),
    url: text().notNull(),
    description: text(),
    eventTypes: text("event_types").array().notNull(),
    signatureFormat: text("signature_format").notNull(),
    status: text().notNull().default("enabled"),
    disabledReason: text("disabled_reason"),
    timeoutMs: integer("timeout_ms").notNull(),
    maxInFlight: integer("max_in_flight").notNull(),
    /** Deliveries per second at most. */
    rateLimit: integer("rate_limit"),
    ordered: boolean().notNull().default(false),
    /** Which events it gets beyond their type, as the contract writes it. */
    filter: jsonb(),
    /** Further request headers, sealed as one JSON object; their names in clear. */
    sealedHeaders: text("sealed_headers"),
    headerNames: text("header_names").array().notNull().default(sql`'{}'::text[]`),
    /** The ed25519 key of `v1a` signatures: the private half sealed. */
    sealedSigningKey: text("sealed_signing_key"),
    publicKey: text("public_key"),
    /** How often and when it is tried again, as the contract writes it; absent is the usual schedule. */
    retryPolicy: jsonb("retry_policy"),
    metadata: jsonb().notNull().default(sql`'{}'::jsonb`),
    version: int64().notNull().default("1"),
    createdAt: moment("created_at").notNull().defaultNow(),
    updatedAt: moment("updated_at").notNull().defaultNow(),
    deletedAt: moment("deleted_at"),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.id] }),
    foreignKey({ columns: [t.tenantId], foreignColumns: [tenants.id] }),
    // Tombstones are of no account to lists and to fan-out, however many there are.
    index("webhook_endpoints_list").on(t.tenantId, t.createdAt, t.id).where(sql`deleted_at is null`),
    index("webhook_endpoints_deleted").on(t.deletedAt).where(sql`deleted_at is not null`),
  ],
);

/** A signing secret, sealed. A key signs until it expires or is revoked; the newest such key is the current one. */
export const endpointSecrets = pgTable(
  "endpoint_secrets",
  {
    tenantId: uuid("tenant_id").notNull(),
    endpointId: uuid("endpoint_id").notNull(),
    kid: text().notNull(),
    sealed: text().notNull(),
    createdAt: moment("created_at").notNull().defaultNow(),
    expiresAt: moment("expires_at"),
    revokedAt: moment("revoked_at"),
    /** When its owner was told that it is about to expire. */
    expiryAnnouncedAt: moment("expiry_announced_at"),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.endpointId, t.kid] }),
    index("endpoint_secrets_expiring")
      .on(t.expiresAt)
      .where(sql`expires_at is not null and revoked_at is null and expiry_announced_at is null`),
    foreignKey({ columns: [t.tenantId, t.endpointId], foreignColumns: [endpoints.tenantId, endpoints.id] }),
  ],
);

/** What an endpoint did within a minute; the charts read only this. */
export const endpointMinutes = pgTable(
  "endpoint_minutes",
  {
    tenantId: uuid("tenant_id").notNull(),
    endpointId: uuid("endpoint_id").notNull(),
    minute: moment().notNull(),
    attempts: integer().notNull(),
    succeeded: integer().notNull(),
    /** Attempts by latency, one counter for each class of `LATENCY_BOUNDS_MS`. */
    latencies: integer().array().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.endpointId, t.minute] }),
    // For the purge of old minutes. A block range index, so that it costs those who count nothing.
    index("endpoint_minutes_age").using("brin", t.minute),
  ],
);

/**
 * The minutes of an endpoint added up by the hour, once the hour is over. An hour that has no row, be it that nothing
 * happened in it, is read from its minutes.
 */
export const endpointHours = pgTable(
  "endpoint_hours",
  {
    tenantId: uuid("tenant_id").notNull(),
    endpointId: uuid("endpoint_id").notNull(),
    hour: moment().notNull(),
    attempts: integer().notNull(),
    succeeded: integer().notNull(),
    latencies: integer().array().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.endpointId, t.hour] }),
    index("endpoint_hours_age").using("brin", t.hour),
  ],
);

/** Up to when minutes were added up to hours: one row at most. */
export const endpointHoursUntil = pgTable("endpoint_hours_until", {
  id: boolean().primaryKey().default(true),
  until: moment().notNull(),
});
