import {
  boolean,
  index,
  integer,
  pgTable,
  primaryKey,
  real,
  smallint,
  text,
  uuid,
} from "drizzle-orm/pg-core";
import { bytea, moment } from "./types.ts";

/**
 * One event to one endpoint; the truth about its delivery. Partitioned by day on the id.
 * `status` is pending, delivered, failed, cancelled or dismissed; `in_flight` is a pending row that a claim names.
 * `step` counts the tries of the running retry schedule, `attempts` all of them. `jobId` is the job that will look at it.
 */
export const deliveries = pgTable(
  "deliveries",
  {
    tenantId: uuid("tenant_id").notNull(),
    id: uuid().notNull(),
    eventId: uuid("event_id").notNull(),
    endpointId: uuid("endpoint_id").notNull(),
    eventType: text("event_type").notNull(),
    status: text().notNull().default("pending"),
    attempts: integer().notNull().default(0),
    step: smallint().notNull().default(0),
    trigger: text().notNull().default("schedule"),
    nextAttemptAt: moment("next_attempt_at"),
    jobId: uuid("job_id").notNull(),
    failureClass: text("failure_class"),
    failureReason: text("failure_reason"),
    createdAt: moment("created_at").notNull(),
    deliveredAt: moment("delivered_at"),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.id] }),
    index("deliveries_of_endpoint").on(t.tenantId, t.endpointId, t.id),
    index("deliveries_of_event").on(t.tenantId, t.eventId),
  ],
);

/**
 * What is not delivered, beside `deliveries`, which is the truth: the way to it for lists by status, the reconciler and the
 * health checks. No index of `deliveries` holds anything that a try changes, so that settling one is a HOT update, in place;
 * an index of its status made that cost three times as much (see docs/decisions.md). Triggers on `deliveries` keep these
 * rows; that of a pending delivery is removed by who notes it as delivered, `settleDeliveries`.
 */
export const undelivered = pgTable(
  "undelivered",
  {
    tenantId: uuid("tenant_id").notNull(),
    id: uuid().notNull(),
    eventId: uuid("event_id").notNull(),
    endpointId: uuid("endpoint_id").notNull(),
    eventType: text("event_type").notNull(),
    status: text().notNull(),
    nextAttemptAt: moment("next_attempt_at"),
    createdAt: moment("created_at").notNull(),
  },
  (t) => [
    // In the order of lists. The last two are for lists that are filtered further: what does not fit is passed over without
    // a look at its row.
    index("undelivered_by_status").on(t.tenantId, t.status, t.id, t.endpointId, t.eventType),
  ],
);

/**
 * In which minutes a tenant has deliveries of a type, by the times in their ids: the way to a type that is rare. Rows are
 * written with the deliveries, and a minute may have several: nobody waits for another who writes the same (see
 * docs/decisions.md), hence no primary key.
 */
export const deliveryMinutes = pgTable(
  "delivery_minutes",
  {
    tenantId: uuid("tenant_id").notNull(),
    eventType: text("event_type").notNull(),
    /** Minutes since the epoch. */
    minute: integer().notNull(),
  },
  (t) => [
    index("delivery_minutes_of_type").on(t.tenantId, t.eventType, t.minute),
    index("delivery_minutes_age").using("brin", t.minute),
  ],
);

/** One try of a delivery, as sent and as answered. Partitioned by day on the id. */
export const attempts = pgTable(
  "attempts",
  {
    tenantId: uuid("tenant_id").notNull(),
    id: uuid().notNull(),
    deliveryId: uuid("delivery_id").notNull(),
    number: integer().notNull(),
    trigger: text().notNull(),
    startedAt: moment("started_at").notNull(),
    durationMs: real("duration_ms"),
    outcome: text().notNull(),
    errorCode: text("error_code"),
    url: text().notNull(),
    /** The request headers that cannot be told from the delivery itself, as a JSON object. */
    requestHeaders: text("request_headers"),
    responseStatus: smallint("response_status"),
    responseHeaders: text("response_headers"),
    responseBody: bytea("response_body"),
    responseTruncated: boolean("response_truncated").notNull().default(false),
    dnsMs: real("dns_ms"),
    connectMs: real("connect_ms"),
    tlsMs: real("tls_ms"),
    firstByteMs: real("first_byte_ms"),
    remoteAddress: text("remote_address"),
    nextAttemptAt: moment("next_attempt_at"),
    worker: integer().notNull(),
  },
  (t) => [
    // In the order in which they are read: nobody looks for an attempt but through its delivery. The id is in it because
    // partitions are made by it.
    primaryKey({ columns: [t.tenantId, t.deliveryId, t.number, t.id] }),
  ],
);

/** Jobs that a worker holds. A worker is alive while it holds the advisory lock of its number. */
export const claims = pgTable(
  "claims",
  {
    jobId: uuid("job_id").primaryKey(),
    queue: text().notNull(),
    worker: integer().notNull(),
    tenantId: uuid("tenant_id").notNull(),
    deliveryIds: uuid("delivery_ids").array().notNull(),
    claimedAt: moment("claimed_at").notNull().defaultNow(),
  },
  (t) => [index("claims_of_worker").on(t.worker)],
);
