import * as z from "zod";
import { DISABLE_REASONS, DISABLE_TABLE } from "./endpoint-health.ts";
import { idParameter, idSchema } from "./ids.ts";
import { Metadata, MetadataPatch } from "./metadata.ts";
import { operation } from "./operation.ts";
import { Int64, pageOf, pageQuery, Timestamp } from "./page.ts";
import { RetryPolicy, RetryPolicyPatch } from "./retry-policy.ts";
import { storableText } from "./text.ts";

export const SIGNATURE_FORMATS = ["hex", "sha256", "timestamped"] as const;
const SignatureFormat = z.enum(SIGNATURE_FORMATS).meta({ id: "SignatureFormat" });

const ENDPOINT_STATUSES = ["enabled", "disabled", "paused"] as const;
const EndpointStatus = z.enum(ENDPOINT_STATUSES).meta({ id: "EndpointStatus" });
export type EndpointStatus = z.infer<typeof EndpointStatus>;

/** An exact event type, `*`, or a prefix that ends in `*`. */
const Subscription = z
  .string()
  .max(128)
  .regex(/^(\*|[A-Za-z][A-Za-z0-9_.]*\*?)$/, "must be an event type, *, or a prefix that ends in *");

const Url = z.string().min(1).max(4096).meta({ example: "https://example.com/webhooks/provider" });
const EventTypes = z
  .array(Subscription)
  .min(1)
  .max(100)
  .describe(
    "Exact names, `*`, or prefixes that end in `*`. Events about Posthorn itself come to those alone that ask for them by name, or by a prefix that begins with `posthorn.`.",
  )
  .meta({ example: ["*"] });
const Description = storableText().max(1024).nullable();
const Filter = z
  .record(z.string(), z.unknown())
  .describe(
    "Which of these events, by what is in their `data`: dotted paths with values or `$eq $ne $gt $gte $lt $lte $in $nin $exists $startsWith $endsWith`, and `$and $or $not`. At most 64 conditions, 8 levels.",
  )
  .meta({ example: { total: { $gte: 100 } } });
const Headers = z
  .record(z.string(), z.string())
  .describe(
    "Sent with every request: at most 20, names are tokens of at most 64 characters, values visible ASCII and spaces of at most 1024. What Posthorn sets itself cannot be set. Kept encrypted and never shown again.",
  )
  .meta({ example: { Authorization: "Bearer s3cr3t" } });
const RateLimit = z.int().min(1).max(10_000).nullable().describe("Deliveries per second at most.");
const MaxInFlight = z.int().min(1).max(100).describe("Requests at a time at most.");
const TimeoutMs = z.int().min(1000).max(30_000).describe("For one attempt, from DNS to the answer's end.");
const Ordered = z.boolean().describe("Strictly one after the other, in the order of `sequence`.");
const Asymmetric = z
  .boolean()
  .describe("Adds a `v1a` signature (ed25519) to `webhook-signature`, to be verified with `public_key`.");

/** What can be set and changed of an endpoint, with the values of what is absent. */
export const EndpointSettings = z.strictObject({
  url: Url,
  event_types: EventTypes,
  description: Description.default(null),
  filter: Filter.nullable().default(null),
  signature_format: SignatureFormat.default("hex"),
  headers: Headers.default({}),
  rate_limit: RateLimit.default(null),
  max_in_flight: MaxInFlight.default(10),
  ordered: Ordered.default(false),
  timeout_ms: TimeoutMs.default(15_000),
  retry_policy: RetryPolicy.nullable().default(null),
  asymmetric: Asymmetric.default(false),
  metadata: Metadata.default({}),
});
export type EndpointSettings = z.infer<typeof EndpointSettings>;

/** A signing secret that a client chooses. */
export const ChosenSecret = z
  .string()
  .optional()
  .describe("`whsec_` and the base64 of 24 to 64 bytes; made for you when absent.");

export const NewEndpoint = EndpointSettings.extend({ secret: ChosenSecret }).meta({
  id: "NewWebhookEndpoint",
  example: { url: "https://example.com/webhooks/provider", event_types: ["Order*", "PaymentCaptured"] },
});
export type NewEndpoint = z.infer<typeof NewEndpoint>;

const EndpointPatch = z
  .strictObject({
    url: Url.optional(),
    event_types: EventTypes.optional(),
    description: Description.optional(),
    filter: Filter.nullable().optional(),
    signature_format: SignatureFormat.nullable().optional(),
    headers: z
      .record(z.string(), z.string().nullable())
      .nullable()
      .optional()
      .describe("Merged header by header: null takes one away, what is not named stays as it is."),
    rate_limit: RateLimit.optional(),
    max_in_flight: MaxInFlight.nullable().optional(),
    ordered: Ordered.nullable().optional(),
    timeout_ms: TimeoutMs.nullable().optional(),
    retry_policy: RetryPolicyPatch.nullable().optional(),
    asymmetric: Asymmetric.nullable().optional(),
    metadata: MetadataPatch.optional().describe("Merged entry by entry; null takes an entry away."),
  })
  .meta({
    id: "WebhookEndpointPatch",
    example: { event_types: ["Order*"], headers: { "X-Team": "billing", Authorization: null } },
  });
export type EndpointPatch = z.infer<typeof EndpointPatch>;

export const Endpoint = z
  .object({
    id: idSchema("endpoint"),
    url: z.string().meta({ example: "https://example.com/webhooks/provider" }),
    description: z.string().nullable(),
    event_types: z.array(z.string()).meta({ example: ["*"] }),
    filter: z.record(z.string(), z.unknown()).nullable(),
    signature_format: SignatureFormat,
    headers: z
      .record(z.string(), z.string())
      .describe("Which headers are sent besides; every value is masked.")
      .meta({ example: { Authorization: "••••••••" } }),
    rate_limit: z.int().nullable().describe("Deliveries per second at most; null: no limit."),
    max_in_flight: z.int().meta({ example: 10 }),
    ordered: z.boolean(),
    timeout_ms: z.int().meta({ example: 15_000 }),
    retry_policy: RetryPolicy.nullable().describe("How often it is tried again; null: the usual schedule."),
    asymmetric: z.boolean(),
    public_key: z
      .string()
      .nullable()
      .describe("`whpk_` and the base64 of the ed25519 key that verifies `v1a`; null unless `asymmetric`."),
    metadata: z.record(z.string(), z.string()).meta({ example: { team: "billing" } }),
    status: EndpointStatus,
    disabled_reason: z
      .string()
      .nullable()
      .describe(
        `Why Posthorn disabled it: ${DISABLE_REASONS.map((reason) => `\`${reason}\` (${DISABLE_TABLE[reason].when})`).join(", ")}; null when a person did.`,
      ),
    version: Int64.describe(
      "Grows by one on every change, that of a secret included; sent quoted as the ETag.",
    ),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: "WebhookEndpoint" });
export type Endpoint = z.infer<typeof Endpoint>;

const EndpointWithSecret = Endpoint.extend({
  secret: z
    .string()
    .describe("The signing secret. It is shown this once and never again.")
    .meta({ example: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw" }),
  secret_key_id: z.string().meta({ example: "v1" }),
}).meta({ id: "WebhookEndpointWithSecret" });
export type EndpointWithSecret = z.infer<typeof EndpointWithSecret>;

export const EndpointParams = z.object({ id: idParameter("endpoint") });
const common = { tag: "Webhook endpoints", scope: "webhooks:write" } as const;

export const createEndpoint = operation({
  ...common,
  id: "createWebhookEndpoint",
  method: "POST",
  path: "/webhook-endpoints",
  summary: "Register a URL that receives events",
  description: "A tenant has at most 100. The same URL may be registered twice.",
  body: NewEndpoint,
  memberProblems: { url: "endpoint-url-rejected" },
  response: EndpointWithSecret,
  status: 201,
  showsSecret: true,
  versioned: true,
  problems: ["endpoint-url-rejected"],
});

export const listEndpoints = operation({
  ...common,
  id: "listWebhookEndpoints",
  method: "GET",
  path: "/webhook-endpoints",
  summary: "List webhook endpoints, newest first",
  scope: "webhooks:read",
  query: z.strictObject(pageQuery),
  response: pageOf(Endpoint, "WebhookEndpointPage"),
  status: 200,
});

export const getEndpoint = operation({
  ...common,
  id: "getWebhookEndpoint",
  method: "GET",
  path: "/webhook-endpoints/{id}",
  summary: "Read one webhook endpoint",
  scope: "webhooks:read",
  params: EndpointParams,
  response: Endpoint,
  status: 200,
  versioned: true,
});

export const patchEndpoint = operation({
  ...common,
  id: "patchWebhookEndpoint",
  method: "PATCH",
  path: "/webhook-endpoints/{id}",
  summary: "Change a webhook endpoint",
  description:
    "A merge patch (RFC 7396) on what a read shows: null takes a member away, which puts it back to its default; `headers`, `metadata` and `filter` are merged member by member. A patch that changes nothing keeps the version. `status` has calls of its own.",
  params: EndpointParams,
  body: EndpointPatch,
  memberProblems: { url: "endpoint-url-rejected" },
  response: Endpoint,
  status: 200,
  versioned: true,
  ifMatch: "required",
});

export const deleteEndpoint = operation({
  ...common,
  id: "deleteWebhookEndpoint",
  method: "DELETE",
  path: "/webhook-endpoints/{id}",
  summary: "Delete a webhook endpoint",
  description:
    "Its queued deliveries are cancelled, its secrets destroyed; deliveries and attempts stay readable. A repeat is 204 too.",
  params: EndpointParams,
  status: 204,
  versioned: true,
});
