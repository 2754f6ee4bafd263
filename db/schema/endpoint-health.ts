import { sql } from "drizzle-orm";
import { index, integer, pgTable, primaryKey, smallint, text, uuid } from "drizzle-orm/pg-core";
import { moment } from "./types.ts";

/**
 * How an endpoint fares. There is a row for those alone that have failed at some time; whoever is well costs nothing.
 * The failures are those since the last success that a worker has noted. No foreign key: it would lock the endpoint for
 * each result that is written.
 */
export const endpointHealth = pgTable(
  "endpoint_health",
  {
    tenantId: uuid("tenant_id").notNull(),
    endpointId: uuid("endpoint_id").notNull(),
    /** Failed attempts since the last success; those that were our own fault do not count. */
    consecutiveFailures: integer("consecutive_failures").notNull().default(0),
    /** The first and the last of them. */
    firstFailureAt: moment("first_failure_at"),
    lastFailureAt: moment("last_failure_at"),
    /** To within a minute while all is well, and known only to the workers until something fails. */
    lastSuccessAt: moment("last_success_at"),
    /** The warning that its owner has had of these failures: 0, 50 or 75 percent of the way to being disabled. */
    warned: smallint().notNull().default(0),
    /** Refusals by the address policy that nothing else came between. */
    blockedInRow: integer("blocked_in_row").notNull().default(0),
    /** When the receiver said that it is gone for good. */
    goneAt: moment("gone_at"),
    /** Of its circuit breaker: closed, open or half_open. */
    breakerState: text("breaker_state").notNull().default("closed"),
    /** Open: when it may be tried; half_open: until when the try that is under way is waited for; closed: since when. */
    breakerUntil: moment("breaker_until"),
    /** How often in a row it was opened: each time for longer. */
    breakerOpens: smallint("breaker_opens").notNull().default(0),
    updatedAt: moment("updated_at").notNull().defaultNow(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.endpointId] }),
    // Those that fail at present, for the health job; it does not change with each further failure.
    index("endpoint_health_failing").on(t.firstFailureAt).where(sql`first_failure_at is not null`),
    // Those that are sent nothing, for the workers.
    index("endpoint_health_shut").on(t.tenantId, t.endpointId).where(sql`breaker_state <> 'closed'`),
  ],
);
