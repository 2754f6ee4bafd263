import { sendTestEvent } from "#contracts/test-events.ts";
import { sendTestEvent as sendOne } from "#server/endpoints/send-test-event.ts";
import { route } from "../route.ts";
import { findByPath } from "./endpoints.ts";

export const testEventRoutes = [
  route(sendTestEvent, {
    find: findByPath,
    async handle(ctx, { found, body, source }) {
      const delivery = await sendOne(ctx, found.id, { type: body.type, data: source.member("data") });
      return { body: delivery, location: `/deliveries/${delivery.id}` };
    },
  }),
];
