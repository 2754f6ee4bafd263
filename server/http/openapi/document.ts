import { createDocument, type oas31, type ZodOpenApiObject, type ZodOpenApiPathsObject } from "zod-openapi";
import type { Operation } from "#contracts/operation.ts";
import { PROBLEMS, type ProblemSlug } from "#contracts/problems.ts";
import { securitySchemes } from "./access.ts";
import { description } from "./description.ts";
import { fitSchema } from "./fit-schema.ts";
import { ANSWER_HEADERS } from "./headers.ts";
import { operationObject } from "./operation-object.ts";
import { sharedAnswers } from "./problem-answers.ts";
import { INTERNAL_ERROR, problemExample } from "./problem-examples.ts";
import { tags } from "./tags.ts";
import { webhookComponents, webhooks } from "./webhooks.ts";
import { type OpenApiDocument, withExamples } from "./with-examples.ts";

export interface DocumentOptions {
  operations: readonly Operation[];
  /** Of the deployment: `https://host`, without a slash at the end. */
  origin: string;
  /** Where the API lives below the origin. */
  prefix: string;
  /** Of Posthorn. */
  version: string;
}

/** Describes the API in OpenAPI 3.1. Throws when a value that is shown has no example. */
export function openApiDocument({ operations, origin, prefix, version }: DocumentOptions): OpenApiDocument {
  const webhook = webhookComponents(version);
  const source: ZodOpenApiObject = {
    openapi: "3.1.1",
    info: {
      title: "Posthorn",
      summary: "Webhook delivery that loses nothing.",
      description: description(origin + prefix, version),
      version,
      license: { name: "Apache License 2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: origin + prefix }],
    tags: tags(operations),
    paths: paths(operations),
    webhooks: webhooks(version),
    components: {
      headers: { ...ANSWER_HEADERS },
      parameters: webhook.parameters,
      responses: { ...sharedAnswers(), ...webhook.responses },
      examples: problemExamples(origin),
      securitySchemes: securitySchemes(origin),
    },
  };
  return withoutUnused(withExamples(createDocument(source, { override: fitSchema })));
}

/** The document without those of the common headers that none of its operations has. */
function withoutUnused(document: OpenApiDocument): OpenApiDocument {
  const text = JSON.stringify(document);
  const { components } = document;
  const used = Object.entries(components?.headers ?? {}).filter(([name]) =>
    text.includes(`"#/components/headers/${name}"`),
  );
  return { ...document, components: { ...components, headers: Object.fromEntries(used) } };
}

function paths(operations: readonly Operation[]): ZodOpenApiPathsObject {
  const items: ZodOpenApiPathsObject = {};
  for (const operation of operations) {
    const method = operation.method.toLowerCase() as Lowercase<Operation["method"]>;
    items[operation.path] = { ...items[operation.path], [method]: operationObject(operation) };
  }
  return items;
}

function problemExamples(origin: string): Record<string, oas31.ExampleObject> {
  const slugs = Object.keys(PROBLEMS) as ProblemSlug[];
  const examples = slugs.map((slug) => [slug, PROBLEMS[slug].title, problemExample(slug, origin)] as const);
  return Object.fromEntries(
    [...examples, ["internal-error", INTERNAL_ERROR.title, INTERNAL_ERROR] as const].map(
      ([name, summary, value]) => [name, { summary, value }],
    ),
  );
}
