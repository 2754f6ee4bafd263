import * as z from "zod";
import { idParameter, idSchema } from "./ids.ts";
import { operation } from "./operation.ts";
import { pageOf, pageQuery, Timestamp } from "./page.ts";
import { storableText } from "./text.ts";

export const SIGNATURE_FORMATS = ["hex", "sha256", "timestamped"] as const;
const SignatureFormat = z.enum(SIGNATURE_FORMATS).meta({ id: "SignatureFormat" });

const ENDPOINT_STATUSES = ["enabled", "disabled", "paused"] as const;
const EndpointStatus = z.enum(ENDPOINT_STATUSES).meta({ id: "EndpointStatus" });

/** An exact event type, `*`, or a prefix that ends in `*`. */
const Subscription = z
  .string()
  .max(128)
  .regex(/^(\*|[A-Za-z][A-Za-z0-9_.]*\*?)$/, "must be an event type, *, or a prefix that ends in *");

const TimeoutMs = z.int().min(1000).max(30_000);
const MaxInFlight = z.int().min(1).max(100);

export const Endpoint = z
  .object({
    id: idSchema("endpoint"),
    url: z.string().meta({ example: "https://example.com/webhooks/provider" }),
    description: z.string().nullable(),
    event_types: z.array(z.string()).meta({ example: ["*"] }),
    signature_format: SignatureFormat,
    status: EndpointStatus,
    disabled_reason: z
      .string()
      .nullable()
      .describe("Why the platform disabled it, such as `gone`; null when a person did."),
    timeout_ms: z.int().meta({ example: 15_000 }),
    max_in_flight: z.int().meta({ example: 10 }),
    version: z.int().meta({ example: 1 }),
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

export const NewEndpoint = z
  .strictObject({
    url: z.string().min(1).max(4096).meta({ example: "https://example.com/webhooks/provider" }),
    event_types: z
      .array(Subscription)
      .min(1)
      .max(100)
      .meta({ example: ["*"] }),
    description: storableText().max(1024).optional(),
    signature_format: SignatureFormat.default("hex"),
    secret: z
      .string()
      .optional()
      .describe("`whsec_` and the base64 of 24 to 64 bytes; made for you when absent."),
    timeout_ms: TimeoutMs.default(15_000),
    max_in_flight: MaxInFlight.default(10),
  })
  .meta({ id: "NewWebhookEndpoint" });
export type NewEndpoint = z.infer<typeof NewEndpoint>;

export const createEndpoint = operation({
  id: "createWebhookEndpoint",
  tag: "Webhook endpoints",
  method: "POST",
  path: "/webhook-endpoints",
  summary: "Register a URL that receives events",
  scope: "webhooks:write",
  body: NewEndpoint,
  memberProblems: { url: "endpoint-url-rejected" },
  response: EndpointWithSecret,
  status: 201,
  versioned: true,
  problems: ["endpoint-url-rejected"],
});

export const listEndpoints = operation({
  id: "listWebhookEndpoints",
  tag: "Webhook endpoints",
  method: "GET",
  path: "/webhook-endpoints",
  summary: "List webhook endpoints, newest first",
  scope: "webhooks:read",
  query: z.strictObject(pageQuery),
  response: pageOf(Endpoint, "WebhookEndpointPage"),
  status: 200,
});

export const getEndpoint = operation({
  id: "getWebhookEndpoint",
  tag: "Webhook endpoints",
  method: "GET",
  path: "/webhook-endpoints/{id}",
  summary: "Read one webhook endpoint",
  scope: "webhooks:read",
  params: z.object({ id: idParameter("endpoint") }),
  response: Endpoint,
  status: 200,
  versioned: true,
});
