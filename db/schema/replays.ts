import { sql } from "drizzle-orm";
import { foreignKey, index, integer, jsonb, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { endpoints } from "./endpoints.ts";
import { moment } from "./types.ts";

/**
 * Deliveries that are sent again together: a job that survives restarts, shows its progress and can be cancelled.
 * `status` is queued, running, completed or cancelled. `phase` is what is being gone through: `deliveries`, then `events`
 * that never made one, then `done`; `position` is the last id that was looked at in it.
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
    /** Deliveries that it has put back to be sent so far. */
    putBack: integer("put_back").notNull().default(0),
    phase: text().notNull().default("deliveries"),
    position: uuid(),
    /** Who made it, as answers show it; null for those that were made before it was kept. */
    createdBy: jsonb("created_by"),
    createdAt: moment("created_at").notNull(),
    startedAt: moment("started_at"),
    completedAt: moment("completed_at"),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.id] }),
    foreignKey({ columns: [t.tenantId, t.endpointId], foreignColumns: [endpoints.tenantId, endpoints.id] }),
    index("replays_list").on(t.tenantId, t.createdAt, t.id),
    // What has ended long ago is deleted.
    index("replays_completed").on(t.completedAt).where(sql`completed_at is not null`),
  ],
);

/**
 * The deliveries that a replay has put back to be sent and that have not ended yet. Those that wait for a retry are looked
 * at again at `checkAt`, and hold up nothing until then.
 */
export const replayItems = pgTable(
  "replay_items",
  {
    tenantId: uuid("tenant_id").notNull(),
    replayId: uuid("replay_id").notNull(),
    deliveryId: uuid("delivery_id").notNull(),
    checkAt: moment("check_at").notNull().defaultNow(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.replayId, t.deliveryId] }),
    foreignKey({ columns: [t.tenantId, t.replayId], foreignColumns: [replays.tenantId, replays.id] }),
    index("replay_items_to_check").on(t.tenantId, t.replayId, t.checkAt),
  ],
);
