import type { ZodOpenApiComponentsObject, ZodOpenApiPathItemObject } from "zod-openapi";
import { EXAMPLE_SECRET } from "./delivery-example.ts";
import { deliveryHeaderParameters } from "./delivery-headers.ts";
import { type EventPayload, eventPayloads, inOneWord } from "./event-payloads.ts";
import { receiverAnswers } from "./receiver-answers.ts";

const DESCRIPTION = `The example of \`AnyEvent\`, as compact JSON, has the signatures of the example headers, made with the secret \`${EXAMPLE_SECRET}\`.`;

/** The parts that all webhooks share: the headers of a delivery, and what each answer to it leads to. */
export function webhookComponents(
  version: string,
): Required<Pick<ZodOpenApiComponentsObject, "parameters" | "responses">> {
  return {
    parameters: named(deliveryHeaderParameters(version)),
    responses: named(receiverAnswers()),
  };
}

/** What Posthorn sends to the endpoints that its users register. `version` is that of Posthorn. */
export function webhooks(version: string): Record<string, ZodOpenApiPathItemObject> {
  const parameters = Object.values(references("parameters", deliveryHeaderParameters(version)));
  const responses = references("responses", receiverAnswers());
  const item = ({ name, summary, schema }: EventPayload): ZodOpenApiPathItemObject => ({
    post: {
      operationId: `deliver${inOneWord(name)}`,
      tags: ["Webhooks"],
      summary,
      description: DESCRIPTION,
      security: [],
      parameters,
      requestBody: { required: true, content: { "application/json": { schema } } },
      responses,
    },
  });
  return Object.fromEntries(eventPayloads.map((payload) => [payload.name, item(payload)]));
}

const PREFIX = "delivery-";

/** The parts under the names that they have among the components. */
function named<T>(parts: Record<string, T>): Record<string, T> {
  return Object.fromEntries(Object.entries(parts).map(([name, part]) => [PREFIX + name, part]));
}

function references(kind: string, parts: object): Record<string, { $ref: string }> {
  return Object.fromEntries(
    Object.keys(parts).map((name) => [name, { $ref: `#/components/${kind}/${PREFIX}${name}` }]),
  );
}
