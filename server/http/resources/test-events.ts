import { sendTestEvent } from "#contracts/test-events.ts";
import { sendTestEvent as sendOne } from "#server/endpoints/send-test-event.ts";
import { rawMember } from "../json/spans.ts";
import { route } from "../route.ts";
import { findByPath } from "./endpoints.ts";

export const testEventRoutes = [
  route(sendTestEvent, {
    find: findByPath,
    async handle(ctx, { found, body, text }) {
      const delivery = await sendOne(ctx, found.id, { type: body.type, data: rawMember(text, "data") });
      return { body: delivery, location: `/deliveries/${delivery.id}` };
    },
  }),
];
