import * as z from "zod";
import { FAILURE_CLASSES, FailureReasons } from "./deliveries.ts";
import { idSchema } from "./ids.ts";
import { operation } from "./operation.ts";
import { TimeParameter, Timestamp } from "./page.ts";
import { DryRunQuery, MAX_RANGE_DAYS } from "./replays.ts";
import { storableText } from "./text.ts";

/** How many of the failed deliveries are looked at. */
export const MAX_FAILURES_GROUPED = 50_000;
/** How many groups are told. */
export const MAX_FAILURE_GROUPS = 200;
/** Of how many days the trend is, today included. */
export const TREND_DAYS = 7;
/** How many deliveries one call dismisses. */
export const MAX_DISMISSED = 5_000;

const FailureGroup = z
  .object({
    endpoint_id: idSchema("endpoint"),
    failure_reason: z.string().nullable().describe("The `error_code` of their last attempts.").meta({
      example: "http_503",
    }),
    failure_classes: z.array(z.enum(FAILURE_CLASSES)).meta({ example: ["exhausted"] }),
    count: z.int().meta({ example: 120 }),
    oldest_at: Timestamp.describe("When the oldest of them was created."),
    newest_at: Timestamp,
    per_day: z
      .array(z.int())
      .describe("How many of them were created on each of `days`.")
      .meta({ example: [0, 0, 0, 0, 12, 80, 28] }),
  })
  .meta({ id: "FailureGroup" });
export type FailureGroup = z.infer<typeof FailureGroup>;

const Failures = z
  .object({
    total: z.int().meta({ example: 120 }),
    complete: z
      .boolean()
      .describe(
        `Whether that is all: at most the newest ${MAX_FAILURES_GROUPED} failed deliveries are looked at, and ${MAX_FAILURE_GROUPS} groups told.`,
      ),
    days: z
      .array(Timestamp)
      .describe(`The beginnings of the last ${TREND_DAYS} days in UTC, today's the last.`)
      .meta({ example: ["2026-11-21T00:00:00.000Z"] }),
    groups: z.array(FailureGroup),
  })
  .meta({ id: "Failures" });
export type Failures = z.infer<typeof Failures>;

export const listFailures = operation({
  id: "listFailures",
  tag: "Deliveries",
  method: "GET",
  path: "/deliveries/failures",
  summary: "Group the failed deliveries by endpoint and reason",
  description:
    "Those that are `failed` now, neither replayed since nor dismissed; the group that waits longest comes first.",
  scope: "deliveries:read",
  response: Failures,
  status: 200,
});

export const DismissalOfMany = z
  .strictObject({
    from: TimeParameter.describe("The first moment of creation.").meta({
      example: "2026-11-20T00:00:00.000Z",
    }),
    to: TimeParameter.describe(
      `The moment of creation before which it ends; at most ${MAX_RANGE_DAYS} days after \`from\`.`,
    ).meta({ example: "2026-11-21T00:00:00.000Z" }),
    endpoint_id: idSchema("endpoint").optional().describe("Any endpoint when absent; it may be deleted."),
    failure_reasons: FailureReasons.optional().describe("Any reason when absent."),
    reason: storableText()
      .min(1)
      .max(500)
      .optional()
      .describe("Why, kept in the audit log.")
      .meta({ example: "settled by hand" }),
  })
  .meta({ id: "DismissalOfMany" });

export const dismissDeliveries = operation({
  id: "dismissDeliveries",
  tag: "Deliveries",
  method: "POST",
  path: "/deliveries/dismissals",
  summary: "Close many failed deliveries as seen to",
  description: `They leave the failures without being sent again, the oldest first, at most ${MAX_DISMISSED} with each call: while \`has_more\`, call again. A dismissed delivery can still be replayed.`,
  scope: "deliveries:replay",
  query: DryRunQuery,
  body: DismissalOfMany,
  response: z
    .object({
      total: z.int().describe("How many were dismissed, or would be.").meta({ example: 120 }),
      has_more: z.boolean().describe("Whether there are more of them.").meta({ example: false }),
    })
    .meta({ id: "Dismissed" }),
  status: 200,
});
