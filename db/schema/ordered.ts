import { pgTable, primaryKey, uuid } from "drizzle-orm/pg-core";
import { int64 } from "./types.ts";

/**
 * The strict queues of ordered endpoints: what is pending for each, by the sequence of its event. A row goes when its
 * delivery is found to have ended.
 */
export const orderedDeliveries = pgTable(
  "ordered_deliveries",
  {
    tenantId: uuid("tenant_id").notNull(),
    endpointId: uuid("endpoint_id").notNull(),
    sequence: int64().notNull(),
    deliveryId: uuid("delivery_id").notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenantId, t.endpointId, t.sequence] })],
);

/** Ordered endpoints that have a queue, each with the one job that may send from it. */
export const orderedEndpoints = pgTable(
  "ordered_endpoints",
  {
    tenantId: uuid("tenant_id").notNull(),
    endpointId: uuid("endpoint_id").notNull(),
    jobId: uuid("job_id").notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenantId, t.endpointId] })],
);
