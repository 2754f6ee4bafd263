import * as z from "zod";
import { Delivery } from "./deliveries.ts";
import { EndpointParams } from "./endpoints.ts";
import { EventData, EventType } from "./events.ts";
import { operation } from "./operation.ts";

const TestEvent = z
  .strictObject({
    type: EventType.default("Ping"),
    data: EventData.optional().describe("Default: the example of the type in the catalogue, or else `{}`."),
  })
  .meta({ id: "TestEvent", example: { type: "invoice.paid", data: { invoice: "inv_7", amount: 12.5 } } });
export type TestEvent = z.infer<typeof TestEvent>;

export const sendTestEvent = operation({
  id: "sendTestEvent",
  tag: "Webhook endpoints",
  method: "POST",
  path: "/webhook-endpoints/{id}/test-events",
  summary: "Send one event to this endpoint alone",
  description:
    "Whatever its `event_types` and its `filter`, and although it is paused; 409 when it is disabled. The event is stored and numbered like any other, so the feed has it too; other endpoints do not get it.",
  scope: "deliveries:replay",
  params: EndpointParams,
  body: TestEvent,
  bodyOptional: true,
  response: Delivery,
  status: 202,
  location: true,
  problems: ["state-conflict"],
});
