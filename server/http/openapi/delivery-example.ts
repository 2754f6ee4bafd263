import type { Event } from "#contracts/events.ts";
import { deliveryHeaders, signDelivery, signingKey } from "#server/domain/signing.ts";

const ID = "01991f6e-4c2a-7cc3-9d0e-2f7a6b1c5d84";
const SENT_AT = "2026-11-21T09:30:00.000Z";

/** The secret of the example, so that its signatures can be checked by whoever writes a receiver. */
export const EXAMPLE_SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

/** The event that the example delivers; its body is the compact JSON of this. */
export const EXAMPLE_EVENT: Event = {
  id: `evt_${ID}`,
  type: "invoice.paid",
  timestamp: SENT_AT,
  sequence: 42,
  api_version: "1",
  data: { invoice: "inv_7", amount: 12.5 },
};

/** The headers of the first attempt to deliver `EXAMPLE_EVENT`, really signed. `version` is that of Posthorn. */
export function exampleHeaders(version: string): Record<string, string> {
  const deliveryId = `dlv_${ID}`;
  const timestamp = Date.parse(SENT_AT) / 1000;
  const signatures = signDelivery({
    format: "hex",
    keys: [signingKey({ kid: "v1", value: EXAMPLE_SECRET })],
    deliveryId,
    timestamp,
    body: Buffer.from(JSON.stringify(EXAMPLE_EVENT)),
  });
  return deliveryHeaders({
    ...signatures,
    version,
    deliveryId,
    eventType: EXAMPLE_EVENT.type,
    attempt: 1,
    timestamp,
    traceparent: `00-${ID.replaceAll("-", "")}-b7ad6b7169203331-01`,
  });
}
