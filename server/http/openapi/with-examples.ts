import type { createDocument } from "zod-openapi";
import { type ExampleSchema, exampleOf } from "./example-of.ts";

/** A document of OpenAPI 3.1, as plain JSON. */
export type OpenApiDocument = ReturnType<typeof createDocument>;

interface Media {
  schema?: ExampleSchema;
  example?: unknown;
  examples?: unknown;
}

interface Message {
  content?: Record<string, Media>;
}

/** The calls of a path, by method. */
type Calls = Record<string, { requestBody?: Message; responses?: Record<string, Message> }>;

/** Gives each component and each body an example, made of those within its schema. */
export function withExamples(document: OpenApiDocument): OpenApiDocument {
  const copy = structuredClone(document);
  const schemas = (copy.components?.schemas ?? {}) as Record<string, ExampleSchema>;
  for (const [name, schema] of Object.entries(schemas)) schema.examples = [exampleOf(schema, schemas, name)];
  for (const [path, item] of Object.entries({ ...copy.paths, ...copy.webhooks })) {
    for (const [method, operation] of Object.entries(item as Calls))
      for (const media of bodiesOf(operation))
        if (media.schema && media.examples === undefined)
          media.example = exampleOf(media.schema, schemas, `${method} ${path}`);
  }
  return copy;
}

/** The contents of the request and of each answer. */
function bodiesOf({ requestBody, responses = {} }: Calls[string]): Media[] {
  const messages = [requestBody, ...Object.values(responses)];
  return messages.flatMap((message) => Object.values(message?.content ?? {}));
}
