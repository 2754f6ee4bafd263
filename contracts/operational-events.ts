import * as z from "zod";
import { FAILURE_CLASSES } from "./deliveries.ts";
import { DISABLE_REASONS, WARNINGS } from "./endpoint-health.ts";
import { idSchema } from "./ids.ts";
import { Timestamp } from "./page.ts";

/** Types that begin so are Posthorn's own events about itself. */
export const OPERATIONAL_PREFIX = "posthorn.";

export const OPERATIONAL_TYPES = [
  "posthorn.endpoint.disabled",
  "posthorn.endpoint.failing",
  "posthorn.delivery.failed",
  "posthorn.secret.expiring",
] as const;
export type OperationalType = (typeof OPERATIONAL_TYPES)[number];

/** When each of them comes. */
export const OPERATIONAL_DESCRIPTIONS: Readonly<Record<OperationalType, string>> = {
  "posthorn.endpoint.disabled": "Posthorn disabled an endpoint because of how it fared",
  "posthorn.endpoint.failing": "An endpoint fails, and is on the way to being disabled",
  "posthorn.delivery.failed": "A delivery failed for good",
  "posthorn.secret.expiring": "A signing secret expires within a day",
};

/** Whether a type is one of Posthorn's events about itself, or could become one. */
export const isOperational = (type: string) => type.startsWith(OPERATIONAL_PREFIX);

const ENDPOINT = "whe_01991f6e-4c2a-7cc3-9d0e-2f7a6b1c5d84";
const URL_OF_ENDPOINT = "https://example.com/webhooks/provider";
const FAILING = {
  failing_since: "2026-11-16T09:30:00.000Z",
  failed_attempts: 12,
  last_success_at: "2026-11-16T09:12:00.000Z",
};
const Url = z.string();
const failures = {
  failing_since: Timestamp.nullable().describe("The first failed attempt since the last success."),
  failed_attempts: z.int().describe("Since the last success."),
  last_success_at: Timestamp.nullable().describe("To within a minute; null when none is known."),
};

/** What the `data` of each of them is. */
export const OPERATIONAL_DATA = {
  "posthorn.endpoint.disabled": z
    .object({
      endpoint_id: idSchema("endpoint"),
      url: Url,
      reason: z.enum(DISABLE_REASONS),
      disabled_at: Timestamp,
      ...failures,
    })
    .meta({
      example: {
        endpoint_id: ENDPOINT,
        url: URL_OF_ENDPOINT,
        reason: "failing",
        disabled_at: "2026-11-21T09:30:00.000Z",
        ...FAILING,
      },
    }),
  "posthorn.endpoint.failing": z
    .object({
      endpoint_id: idSchema("endpoint"),
      url: Url,
      percent: z.literal(WARNINGS).describe("How far on the way to being disabled."),
      disabled_after: Timestamp.describe(
        "It is not disabled before that, and then only if nothing succeeds.",
      ),
      ...failures,
    })
    .meta({
      example: {
        endpoint_id: ENDPOINT,
        url: URL_OF_ENDPOINT,
        percent: 50,
        disabled_after: "2026-11-21T09:30:00.000Z",
        ...FAILING,
      },
    }),
  "posthorn.delivery.failed": z
    .object({
      delivery_id: idSchema("delivery"),
      event_id: idSchema("event"),
      event_type: z.string(),
      endpoint_id: idSchema("endpoint"),
      attempts: z.int(),
      failure_class: z.enum(FAILURE_CLASSES),
      failure_reason: z.string().describe("The `error_code` of the last attempt."),
      failed_at: Timestamp,
    })
    .meta({
      example: {
        delivery_id: "dlv_01991f6e-4c2a-7cc3-9d0e-2f7a6b1c5d84",
        event_id: "evt_01991f6e-4c2a-7cc3-9d0e-2f7a6b1c5d84",
        event_type: "invoice.paid",
        endpoint_id: ENDPOINT,
        attempts: 10,
        failure_class: "exhausted",
        failure_reason: "http_500",
        failed_at: "2026-11-21T09:30:00.000Z",
      },
    }),
  "posthorn.secret.expiring": z
    .object({
      endpoint_id: idSchema("endpoint"),
      url: Url,
      kid: z.string().describe("The id of the key, as `X-Signature-Key-Id` names it."),
      expires_at: Timestamp,
    })
    .meta({
      example: {
        endpoint_id: ENDPOINT,
        url: URL_OF_ENDPOINT,
        kid: "v1",
        expires_at: "2026-11-22T09:30:00.000Z",
      },
    }),
} as const satisfies Record<OperationalType, z.ZodType>;

/** An event about Posthorn itself, as it is published. */
export type OperationalEvent = {
  [T in OperationalType]: { type: T; data: z.infer<(typeof OPERATIONAL_DATA)[T]> };
}[OperationalType];
