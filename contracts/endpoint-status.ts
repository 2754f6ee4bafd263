import * as z from "zod";
import { Endpoint, EndpointParams } from "./endpoints.ts";
import { operation } from "./operation.ts";

const statusChange = {
  tag: "Webhook endpoints",
  method: "POST",
  scope: "webhooks:write",
  params: EndpointParams,
  body: z.strictObject({}),
  bodyOptional: true,
  response: Endpoint,
  status: 200,
  versioned: true,
} as const;

export const enableEndpoint = operation({
  ...statusChange,
  id: "enableWebhookEndpoint",
  path: "/webhook-endpoints/{id}/enable",
  summary: "Enable a webhook endpoint",
  description:
    "Sends it a `Ping`, and releases what was held while it was paused. Of one that is enabled nothing changes.",
});

export const disableEndpoint = operation({
  ...statusChange,
  id: "disableWebhookEndpoint",
  path: "/webhook-endpoints/{id}/disable",
  summary: "Disable a webhook endpoint",
  description: "New events make no delivery for it, and queued ones are cancelled.",
});

export const pauseEndpoint = operation({
  ...statusChange,
  id: "pauseWebhookEndpoint",
  path: "/webhook-endpoints/{id}/pause",
  summary: "Pause a webhook endpoint",
  description:
    "Deliveries are made and held until it is enabled; `next_attempt_at` of what is held is null. Only test events are still sent.",
});
