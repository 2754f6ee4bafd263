import { foreignKey, index, integer, jsonb, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { endpoints } from "./endpoints.ts";
import { moment } from "./types.ts";

/**
 * Deliveries that are sent again together: a job that survives restarts, shows its progress and can be cancelled.
 * `status` is queued, running, completed or cancelled; `position` is the last id that its selection has looked at.
 */
export const replays = pgTable(
  "replays",
  {
    tenantId: uuid("tenant_id").notNull(),
    id: uuid().notNull(),
    endpointId: uuid("endpoint_id").notNull(),
    /** `replay` or `recovery`. */
    kind: text().notNull(),
    /** Which deliveries, as the request said it. */
    selection: jsonb().notNull(),
    status: text().notNull().default("queued"),
    total: integer().notNull(),
    done: integer().notNull().default(0),
    succeeded: integer().notNull().default(0),
    failed: integer().notNull().default(0),
    position: uuid(),
    createdAt: moment("created_at").notNull(),
    startedAt: moment("started_at"),
    completedAt: moment("completed_at"),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.id] }),
    foreignKey({ columns: [t.tenantId, t.endpointId], foreignColumns: [endpoints.tenantId, endpoints.id] }),
    index("replays_list").on(t.tenantId, t.createdAt, t.id),
  ],
);

/** The deliveries that a running replay has put back to be sent and that have not ended yet. */
export const replayItems = pgTable(
  "replay_items",
  {
    tenantId: uuid("tenant_id").notNull(),
    replayId: uuid("replay_id").notNull(),
    deliveryId: uuid("delivery_id").notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.replayId, t.deliveryId] }),
    foreignKey({ columns: [t.tenantId, t.replayId], foreignColumns: [replays.tenantId, replays.id] }),
  ],
);
