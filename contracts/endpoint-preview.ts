import * as z from "zod";
import { EndpointSettings } from "./endpoints.ts";
import { EventType } from "./events.ts";
import { idSchema } from "./ids.ts";
import { operation } from "./operation.ts";
import { Timestamp } from "./page.ts";

/** Of how many events a preview tells. */
export const PREVIEWED_EVENTS = 100;

const Preview = z
  .strictObject({
    event_types: EndpointSettings.shape.event_types,
    filter: EndpointSettings.shape.filter,
  })
  .meta({ id: "WebhookEndpointPreview", example: { event_types: ["Order*"], filter: null } });
export type Preview = z.infer<typeof Preview>;

const PreviewResult = z
  .object({
    looked_at: z
      .int()
      .describe("How many events were looked at; tests, which go to one endpoint alone, are not.")
      .meta({ example: PREVIEWED_EVENTS }),
    matched: z.int().describe("How many of them would be sent.").meta({ example: 12 }),
    items: z
      .array(
        z
          .object({
            id: idSchema("event"),
            type: EventType,
            timestamp: Timestamp,
            matches: z.boolean(),
          })
          .meta({ id: "PreviewedEvent" }),
      )
      .describe("Newest first."),
  })
  .meta({ id: "WebhookEndpointPreviewResult" });
export type PreviewResult = z.infer<typeof PreviewResult>;

export const previewEndpoint = operation({
  id: "previewWebhookEndpoint",
  tag: "Webhook endpoints",
  method: "POST",
  path: "/webhook-endpoint-previews",
  summary: "Tell which of the last events an endpoint would be sent",
  description: `Asks \`event_types\` and \`filter\` of the last ${PREVIEWED_EVENTS} events, or fewer where they are very large, as publishing does. Nothing is made and nothing is sent.`,
  scope: "events:read",
  body: Preview,
  response: PreviewResult,
  status: 200,
});
