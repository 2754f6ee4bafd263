import type { oas31 } from "zod-openapi";
import { exampleHeaders } from "./delivery-example.ts";

const integer: oas31.SchemaObject = { type: "integer", minimum: 1 };
const string: oas31.SchemaObject = { type: "string" };

const MEANINGS: Record<string, { description: string; schema: oas31.SchemaObject }> = {
  "User-Agent": { description: "Who sends.", schema: string },
  "Accept-Encoding": { description: "The answer is wanted as it is.", schema: string },
  "X-Delivery": {
    description:
      "Id of the delivery, the same on every attempt and replay. Store it under a unique constraint: that makes processing happen once.",
    schema: string,
  },
  "X-Event": { description: "The event's type.", schema: string },
  "X-Attempt": { description: "Number of this attempt, from 1.", schema: integer },
  "X-Signature": {
    description:
      "HMAC-SHA256 of the raw body; the key is the secret as it is displayed. Its form is the endpoint's `signature_format`: `hex` is 64 lowercase hex digits, `sha256` puts `sha256=` before them, `timestamped` is `t=<unix>,kid=<kid>,v1=<hex>` over `<unix>.<raw body>`.",
    schema: string,
  },
  "X-Signature-Key-Id": {
    description: "The key that `X-Signature` was made with. Choose the secret by it while two are valid.",
    schema: string,
  },
  "X-Signature-Timestamp": {
    description: "Unix seconds of this attempt. Refuse what is more than 5 minutes away.",
    schema: integer,
  },
  "webhook-id": { description: "As X-Delivery (Standard Webhooks 1.0).", schema: string },
  "webhook-timestamp": { description: "As X-Signature-Timestamp (Standard Webhooks 1.0).", schema: integer },
  "webhook-signature": {
    description:
      "`v1,` and the base64 of HMAC-SHA256 over `<webhook-id>.<webhook-timestamp>.<raw body>`, once for each key that is valid, with spaces between; the key is the bytes that the secret's base64 stands for (Standard Webhooks 1.0). To an `asymmetric` endpoint also `v1a,` and the base64 of the ed25519 signature of the same, which its `public_key` verifies.",
    schema: string,
  },
  traceparent: { description: "W3C Trace Context; the trace id is the event's UUID.", schema: string },
};

/** The headers of a delivery by name, those that are sent and no others, as parameters with real examples. */
export function deliveryHeaderParameters(version: string): Record<string, oas31.ParameterObject> {
  // Content-Type is told by the request body: OpenAPI ignores a parameter of that name.
  const { "Content-Type": _type, ...sent } = exampleHeaders(version);
  return Object.fromEntries(
    Object.entries(sent).map(([name, value]) => {
      const meaning = MEANINGS[name];
      if (!meaning) throw new Error(`The header ${name} of deliveries needs a description.`);
      const { description, schema } = meaning;
      const example = schema.type === "integer" ? Number(value) : value;
      const parameter: oas31.ParameterObject = {
        ...{ in: "header", name, description, required: true },
        schema: { ...schema, examples: [example] },
      };
      return [name, parameter];
    }),
  );
}
