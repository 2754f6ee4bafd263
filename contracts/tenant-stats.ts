import * as z from "zod";
import { BREAKER_STATES } from "./circuit-breaker.ts";
import { EndpointStatsQuery, figures, MAX_STATS_BUCKETS, StatsBucket } from "./endpoint-stats.ts";
import { idSchema } from "./ids.ts";
import { operation } from "./operation.ts";
import { Timestamp } from "./page.ts";

/** The longest range that the figures of all endpoints together are of. */
export const MAX_STATS_DAYS = 8;
/** How many endpoints are told that fail. */
export const MAX_FAILING_ENDPOINTS = 10;
/** Among how many of the waiting deliveries the one that is due longest is looked for. */
export const MAX_WAITING_LOOKED_AT = 10_000;

const FailingEndpoint = z
  .object({
    endpoint_id: idSchema("endpoint"),
    attempts: figures.attempts,
    failed: figures.failed,
    circuit_breaker: z.enum(BREAKER_STATES).meta({ example: "closed" }),
  })
  .meta({ id: "FailingEndpoint" });

const TenantStats = z
  .object({
    from: Timestamp.describe("Where the first bucket begins."),
    to: Timestamp.describe("Where the last bucket ends."),
    bucket: StatsBucket,
    totals: z.object(figures).describe("Of all buckets together.").meta({ id: "TenantTotals" }),
    buckets: z
      .array(z.object({ start: Timestamp, ...figures }).meta({ id: "TenantStatsBucket" }))
      .describe("Every one from `from` to `to`, oldest first, empty ones too."),
    failing_endpoints: z
      .array(FailingEndpoint)
      .describe(
        `Those with failed attempts within the range, or with a circuit breaker that is not closed; at most ${MAX_FAILING_ENDPOINTS}, those with most failures first.`,
      ),
    oldest_due: z
      .object({ delivery_id: idSchema("delivery"), due_at: Timestamp })
      .nullable()
      .describe(
        `The delivery that has been due for longest and is still not taken up, among the ${MAX_WAITING_LOOKED_AT} oldest that wait; null when none is due.`,
      )
      .meta({ id: "OldestDue" }),
  })
  .meta({ id: "TenantStats" });
export type TenantStats = z.infer<typeof TenantStats>;

export const TenantStatsQuery = z.strictObject({
  ...EndpointStatsQuery.shape,
  bucket: StatsBucket.default("hour").meta({
    description: `In UTC. From \`from\` to \`to\` there may be ${MAX_STATS_BUCKETS} of them at most, and ${MAX_STATS_DAYS} days.`,
  }),
});

export const getStats = operation({
  id: "getStats",
  tag: "Deliveries",
  method: "GET",
  path: "/stats",
  summary: "Read how attempts at all endpoints together went, and what is in trouble",
  description: "Counted by the minute in which an attempt began.",
  scope: "deliveries:read",
  query: TenantStatsQuery,
  response: TenantStats,
  status: 200,
});
