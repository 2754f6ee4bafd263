import {
  boolean,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uuid,
} from "drizzle-orm/pg-core";
import { bytea, int64, moment } from "./types.ts";

/** The first answer to a request that carried an Idempotency-Key. */
export const idempotencyRecords = pgTable(
  "idempotency_records",
  {
    tenantId: uuid("tenant_id").notNull(),
    principalId: text("principal_id").notNull(),
    method: text().notNull(),
    path: text().notNull(),
    key: text().notNull(),
    fingerprint: bytea().notNull(),
    status: integer(),
    headers: jsonb().$type<Record<string, string>>(),
    body: text(),
    createdAt: moment("created_at").notNull().defaultNow(),
    expiresAt: moment("expires_at").notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.principalId, t.method, t.path, t.key] }),
    index("idempotency_records_expired").on(t.expiresAt),
  ],
);

/** Append-only; each row carries the hash of the one before it in its tenant's chain. */
export const auditLog = pgTable(
  "audit_log",
  {
    tenantId: uuid("tenant_id").notNull(),
    number: int64().notNull(),
    at: moment().notNull(),
    actor: text().notNull(),
    role: text().notNull(),
    action: text().notNull(),
    target: text().notNull(),
    before: jsonb(),
    after: jsonb(),
    requestId: text("request_id").notNull(),
    previousHash: bytea("previous_hash").notNull(),
    hash: bytea().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.number] }),
    // The list of all tenants' entries, newest first.
    index("audit_log_list").on(t.at, t.tenantId, t.number),
  ],
);

/** What the processes tell each other about the rate limits: when a bucket will be full again, in milliseconds of the epoch. */
export const rateBuckets = pgTable("rate_buckets", {
  bucket: text().primaryKey(),
  fullAtMs: doublePrecision("full_at_ms").notNull(),
});

/**
 * What the last run of retention came to: one row at most. `accepted` is the policy that was last carried out and when:
 * a run that would go much further than that is refused.
 */
export const retentionState = pgTable("retention_state", {
  id: boolean().primaryKey().default(true),
  ranAt: moment("ran_at").notNull(),
  /** done, partial, refused or failed. */
  result: text().notNull(),
  reason: text(),
  partitions: integer().notNull(),
  rows: int64().notNull(),
  accepted: jsonb(),
});
