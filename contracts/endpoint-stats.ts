import * as z from "zod";
import { BREAKER_MEANINGS, BREAKER_STATES } from "./circuit-breaker.ts";
import { idParameter, idSchema } from "./ids.ts";
import { operation } from "./operation.ts";
import { TimeParameter, Timestamp } from "./page.ts";

/**
 * Upper bounds of the classes in which latencies are counted, in milliseconds, each included; a last class has what is
 * longer. Counters are stored in this order, so a change needs a migration of what is stored.
 */
export const LATENCY_BOUNDS_MS = [
  1, 2, 5, 10, 20, 35, 50, 75, 100, 150, 200, 300, 400, 500, 750, 1_000, 1_500, 2_000, 3_000, 5_000, 7_500,
  10_000, 15_000, 20_000, 30_000,
] as const;

export const MAX_STATS_BUCKETS = 1_500;

const STATS_BUCKETS = ["minute", "hour", "day"] as const;
export const StatsBucket = z.enum(STATS_BUCKETS).meta({ example: "hour" });
export type StatsBucket = z.infer<typeof StatsBucket>;

const percentile = (part: string) =>
  z
    .number()
    .nullable()
    .describe(
      `${part} of the attempts that were answered, or timed out, took at most so many milliseconds: interpolated within the classes of \`latency_bounds_ms\`. Null when there were none.`,
    );

/** How attempts went, of an endpoint or of all. */
export const figures = {
  attempts: z
    .int()
    .describe(
      "Those of replays and tests included; tries that were lost with their worker, or failed on our side, are not.",
    )
    .meta({ example: 120 }),
  succeeded: z.int().meta({ example: 118 }),
  failed: z.int().meta({ example: 2 }),
  success_rate: z
    .number()
    .nullable()
    .describe("From 0 to 1; null when there were no attempts.")
    .meta({ example: 0.9833 }),
  latency_p50_ms: percentile("Half").meta({ example: 41.5 }),
  latency_p95_ms: percentile("95 %").meta({ example: 180 }),
  latency_p99_ms: percentile("99 %").meta({ example: 410.2 }),
};

const CircuitBreaker = z
  .object({
    state: z
      .enum(BREAKER_STATES)
      .describe(BREAKER_STATES.map((state) => `\`${state}\`: ${BREAKER_MEANINGS[state]}`).join(" "))
      .meta({ example: "closed" }),
    until: Timestamp.nullable()
      .describe(
        "Open: when it is tried again. Half open: until when the answer is waited for at most. Null when closed.",
      )
      .meta({ example: null }),
  })
  .describe("Whether it is sent anything right now.")
  .meta({ id: "CircuitBreaker" });

const EndpointStats = z
  .object({
    endpoint_id: idSchema("endpoint"),
    from: Timestamp.describe("Where the first bucket begins."),
    to: Timestamp.describe("Where the last bucket ends."),
    bucket: StatsBucket,
    latency_bounds_ms: z
      .array(z.number())
      .describe(
        "The upper bounds of the classes in which latencies are counted; a last class has what is longer.",
      )
      .meta({ example: [...LATENCY_BOUNDS_MS] }),
    circuit_breaker: CircuitBreaker,
    totals: z.object(figures).describe("Of all buckets together.").meta({ id: "EndpointTotals" }),
    buckets: z
      .array(z.object({ start: Timestamp, ...figures }).meta({ id: "EndpointStatsBucket" }))
      .describe("Every one from `from` to `to`, oldest first, empty ones too."),
  })
  .meta({ id: "EndpointStats" });
export type EndpointStats = z.infer<typeof EndpointStats>;

export const EndpointStatsQuery = z.strictObject({
  from: TimeParameter.optional().meta({
    description: "The bucket that holds it is the first. 24 hours before `to` when absent.",
  }),
  to: TimeParameter.optional().meta({
    description: "The bucket that ends with it, or holds it, is the last. Now when absent.",
  }),
  bucket: StatsBucket.default("hour").meta({
    description: `In UTC. From \`from\` to \`to\` there may be ${MAX_STATS_BUCKETS} of them at most.`,
  }),
});

export const getEndpointStats = operation({
  id: "getWebhookEndpointStats",
  tag: "Webhook endpoints",
  method: "GET",
  path: "/webhook-endpoints/{id}/stats",
  summary: "Read how attempts went and how long they took, and whether the circuit breaker is open",
  description: "Counted by the minute in which an attempt began, and kept for 30 days.",
  scope: "webhooks:read",
  params: z.object({ id: idParameter("endpoint") }),
  query: EndpointStatsQuery,
  response: EndpointStats,
  status: 200,
});
