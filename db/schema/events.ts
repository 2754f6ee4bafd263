import { boolean, foreignKey, index, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { tenants } from "./tenants.ts";
import { bytea, int64, moment } from "./types.ts";

/**
 * Events, partitioned by day on the UUIDv7 id itself. `body` is the exact text that is delivered and read back; since
 * `expungedAt` it is the event without its data. `contentHash` is kept only for ids made by clients, to tell a repeat from a clash.
 */
export const events = pgTable(
  "events",
  {
    tenantId: uuid("tenant_id").notNull(),
    id: uuid().notNull(),
    sequence: int64().notNull(),
    type: text().notNull(),
    body: text().notNull(),
    contentHash: bytea("content_hash"),
    /** Of a test: the one endpoint that it was made for. */
    onlyTo: uuid("only_to"),
    createdAt: moment("created_at").notNull(),
    expungedAt: moment("expunged_at"),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.id] }),
    // The feed: WHERE tenant_id = $1 AND sequence > $2 ORDER BY sequence.
    index("events_feed").on(t.tenantId, t.sequence),
  ],
);

/** The catalogue of a tenant's own event types. `schema` and `example` are kept as the JSON text that was sent. */
export const eventTypes = pgTable(
  "event_types",
  {
    tenantId: uuid("tenant_id").notNull(),
    name: text().notNull(),
    description: text(),
    schema: text(),
    example: text(),
    deprecated: boolean().notNull().default(false),
    version: int64().notNull().default("1"),
    createdAt: moment("created_at").notNull(),
    updatedAt: moment("updated_at").notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.name] }),
    foreignKey({ columns: [t.tenantId], foreignColumns: [tenants.id] }),
  ],
);
