import * as z from "zod";
import { idParameter, idSchema } from "./ids.ts";
import { operation } from "./operation.ts";
import { Link, pageOf, pageQuery, TimeParameter, Timestamp } from "./page.ts";
import { storableText } from "./text.ts";

export const DELIVERY_STATUSES = [
  "pending",
  "in_flight",
  "delivered",
  "failed",
  "cancelled",
  "dismissed",
] as const;
export const DeliveryStatus = z.enum(DELIVERY_STATUSES).meta({ id: "DeliveryStatus", example: "delivered" });
export type DeliveryStatus = z.infer<typeof DeliveryStatus>;

export const FAILURE_CLASSES = ["permanent", "exhausted", "gone", "blocked"] as const;
export type FailureClass = (typeof FAILURE_CLASSES)[number];

export const TRIGGERS = ["schedule", "replay", "recovery", "test"] as const;
export type Trigger = (typeof TRIGGERS)[number];

export const OUTCOMES = ["ok", "retry", "retry_short", "permanent", "disable", "lost"] as const;
export type Outcome = (typeof OUTCOMES)[number];

export const Delivery = z
  .object({
    id: idSchema("delivery"),
    event_id: idSchema("event"),
    event_type: z.string().meta({ example: "invoice.paid" }),
    endpoint_id: idSchema("endpoint"),
    status: DeliveryStatus,
    attempts: z.int().describe("How many attempts have been made.").meta({ example: 1 }),
    next_attempt_at: Timestamp.nullable().describe(
      "When the next attempt is due; null while it is held for a paused endpoint, and once nothing more is planned.",
    ),
    failure_class: z.enum(FAILURE_CLASSES).nullable(),
    failure_reason: z.string().nullable().describe("The `error_code` of the last attempt."),
    created_at: Timestamp,
    delivered_at: Timestamp.nullable().meta({ example: "2026-11-21T09:30:00.126Z" }),
    links: z.array(Link),
  })
  .meta({ id: "Delivery" });
export type Delivery = z.infer<typeof Delivery>;

const EXAMPLE_TIMINGS = { dns: 4, connect: 12, tls: 21, first_byte: 83, total: 84 };
const Timings = z
  .object({
    dns: z.number().nullable(),
    connect: z.number().nullable(),
    tls: z.number().nullable(),
    first_byte: z.number().nullable(),
    total: z.number(),
  })
  .meta({ id: "AttemptTimings", example: EXAMPLE_TIMINGS });

const EXAMPLE_BODY =
  '{"id":"evt_01991f6e-4c2a-7cc3-9d0e-2f7a6b1c5d84","type":"invoice.paid","timestamp":"2026-11-21T09:30:00.000Z",' +
  '"sequence":42,"api_version":"1","data":{"invoice":"inv_7","amount":12.5}}';

export const Attempt = z
  .object({
    id: idSchema("attempt"),
    delivery_id: idSchema("delivery"),
    number: z.int().meta({ example: 1 }),
    trigger: z.enum(TRIGGERS),
    started_at: Timestamp,
    duration_ms: z.number().nullable().describe("Null when the worker was lost.").meta({ example: 84 }),
    outcome: z.enum(OUTCOMES),
    error_code: z.string().nullable(),
    request: z
      .object({
        method: z.string().meta({ example: "POST" }),
        url: z.string().meta({ example: "https://example.com/webhooks/provider" }),
        headers: z.record(z.string(), z.string()).meta({ example: { "Content-Type": "application/json" } }),
        body: z.string().meta({ example: EXAMPLE_BODY }),
      })
      .describe(
        "As it was sent. Secrets are never shown. Once the event's data was expunged, `body` is the event without it and `headers` are empty, as are the response's headers and body; once the event has passed its retention, `body` is empty.",
      ),
    response: z
      .object({
        status: z.int(),
        headers: z.record(z.string(), z.string()),
        body: z.string().describe("At most 4 KiB; bytes that are not UTF-8 are replaced."),
        body_truncated: z.boolean(),
      })
      .nullable()
      .meta({
        example: {
          status: 200,
          headers: { "content-type": "text/plain" },
          body: "ok",
          body_truncated: false,
        },
      }),
    timings_ms: Timings.nullable().meta({ example: EXAMPLE_TIMINGS }),
    remote_address: z.string().nullable().meta({ example: "203.0.113.7" }),
    next_attempt_at: Timestamp.nullable(),
  })
  .meta({ id: "Attempt" });
export type Attempt = z.infer<typeof Attempt>;

const FailureReason = z
  .string()
  .regex(/^[a-z0-9_]{1,64}$/, "must be an `error_code`")
  .meta({ example: "http_503" });
/** The `error_code`s that a bulk action is about. */
export const FailureReasons = z
  .array(FailureReason)
  .min(1)
  .max(50)
  .meta({ example: ["http_503"] });

const DeliveryParams = z.object({ id: idParameter("delivery") });
const oneOrMany = <T extends z.ZodType>(item: T, max: number) =>
  z
    .union([item, z.array(item).max(max)])
    .optional()
    .meta({ description: "Repeatable." });

export const DeliveryFilters = z.strictObject({
  endpoint_id: idSchema("endpoint").optional(),
  event_id: idSchema("event").optional(),
  event_type: oneOrMany(z.string().min(1).max(128).meta({ example: "invoice.paid" }), 50),
  status: oneOrMany(DeliveryStatus, DELIVERY_STATUSES.length),
  failure_reason: oneOrMany(FailureReason, 50),
  from: TimeParameter.optional().meta({ description: "Created at this moment or later." }),
  to: TimeParameter.optional().meta({ description: "Created before this moment." }),
  q: z.string().min(1).max(200).optional().meta({
    description:
      "A delivery, event or endpoint id, or text within the event's body, as it stands there. Text is looked for from the newest delivery on, among those that the other filters leave; where that takes longer than two seconds the answer is 503, and a narrower `from` and `to` help.",
    example: "inv_7",
  }),
});

export const listDeliveries = operation({
  id: "listDeliveries",
  tag: "Deliveries",
  method: "GET",
  path: "/deliveries",
  summary: "List deliveries, newest first",
  scope: "deliveries:read",
  query: DeliveryFilters.extend(pageQuery),
  response: pageOf(Delivery, "DeliveryPage"),
  status: 200,
});

export const getDelivery = operation({
  id: "getDelivery",
  tag: "Deliveries",
  method: "GET",
  path: "/deliveries/{id}",
  summary: "Read one delivery",
  scope: "deliveries:read",
  params: DeliveryParams,
  response: Delivery,
  status: 200,
});

export const listAttempts = operation({
  id: "listAttempts",
  tag: "Deliveries",
  method: "GET",
  path: "/deliveries/{id}/attempts",
  summary: "Read the attempts of a delivery, first to last",
  scope: "deliveries:read",
  params: DeliveryParams,
  query: z.strictObject(pageQuery),
  response: pageOf(Attempt, "AttemptPage"),
  status: 200,
});

export const replayDelivery = operation({
  id: "replayDelivery",
  tag: "Deliveries",
  method: "POST",
  path: "/deliveries/{id}/replay",
  summary: "Send a delivery again",
  description:
    "The same delivery id, the next attempt number, a fresh retry schedule. Refused while the delivery is pending or in flight, for an endpoint that is disabled or deleted, and once the event has passed its retention or its data was expunged.",
  scope: "deliveries:replay",
  params: DeliveryParams,
  body: z.strictObject({}),
  bodyOptional: true,
  response: Delivery,
  status: 202,
  problems: ["state-conflict"],
});

const Closing = z
  .strictObject({
    reason: storableText()
      .min(1)
      .max(500)
      .optional()
      .describe("Kept in the audit log.")
      .meta({ example: "settled by hand" }),
  })
  .meta({ id: "ClosingOfDelivery" });

export const dismissDelivery = operation({
  id: "dismissDelivery",
  tag: "Deliveries",
  method: "POST",
  path: "/deliveries/{id}/dismiss",
  summary: "Close a failed delivery as seen to",
  description:
    "It leaves the failures without being sent again. Refused in any state but `failed`. A dismissed delivery can still be replayed.",
  scope: "deliveries:replay",
  params: DeliveryParams,
  body: Closing,
  bodyOptional: true,
  response: Delivery,
  status: 200,
  problems: ["state-conflict"],
});

export const cancelDelivery = operation({
  id: "cancelDelivery",
  tag: "Deliveries",
  method: "POST",
  path: "/deliveries/{id}/cancel",
  summary: "Cancel a delivery that waits for an attempt",
  description:
    "No further attempt is made. Refused in any state but `pending`: a request that is in flight is not called back.",
  scope: "deliveries:replay",
  params: DeliveryParams,
  body: Closing,
  bodyOptional: true,
  response: Delivery,
  status: 200,
  problems: ["state-conflict"],
});
