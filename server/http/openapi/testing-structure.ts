import * as z from "zod";

// OpenAPI 3.1.1 §4.8 as far as the document uses it. Everything is strict: a member that is not known here is wrong.
const Reference = z.strictObject({ $ref: z.string().startsWith("#/components/") });
const orReference = <T extends z.ZodType>(schema: T) => z.union([Reference, schema]);
const mapOf = <T extends z.ZodType>(schema: T) => z.record(z.string().regex(/^[A-Za-z0-9._-]+$/), schema);
const text = z.string().min(1);
const count = z.int().min(0).optional();
const type = z.enum(["string", "number", "integer", "boolean", "object", "array", "null"]);

/** JSON Schema 2020-12, of which OpenAPI 3.1 has its schemas. */
const Schema = z.strictObject({
  $ref: z.string().startsWith("#/components/schemas/").optional(),
  type: z.union([type, z.array(type).min(2)]).optional(),
  description: text.optional(),
  deprecated: z.literal(true).optional(),
  examples: z.array(z.unknown()).length(1).optional(),
  default: z.unknown().optional(),
  const: z.unknown().optional(),
  enum: z.array(z.unknown()).min(1).optional(),
  format: text.optional(),
  pattern: z.string().refine(isPattern).optional(),
  minLength: count,
  maxLength: count,
  minItems: count,
  maxItems: count,
  maxProperties: count,
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  required: z.array(text).optional(),
  get anyOf() {
    return z.array(Schema).min(2).optional();
  },
  get items() {
    return Schema.optional();
  },
  get properties() {
    return z.record(z.string(), Schema).optional();
  },
  get propertyNames() {
    return Schema.optional();
  },
  get additionalProperties() {
    return z.union([z.boolean(), Schema]).optional();
  },
});

function isPattern(pattern: string): boolean {
  try {
    new RegExp(pattern, "u");
    return true;
  } catch {
    return false;
  }
}

const Example = z.strictObject({ summary: text, value: z.unknown() });
const MediaType = z
  .strictObject({
    schema: Schema,
    example: z.unknown().optional(),
    examples: mapOf(orReference(Example)).optional(),
  })
  .refine((media) => (media.example === undefined) !== (media.examples === undefined), "one kind of example");
const Content = z.record(z.string().regex(/^application\/([a-z-]+\+)?json$/), MediaType);
const Header = z.strictObject({ description: text, required: z.literal(true).optional(), schema: Schema });
const Response = z.strictObject({
  description: text,
  headers: z.record(z.string(), orReference(Header)).optional(),
  content: Content.optional(),
});
const Parameter = z
  .strictObject({
    in: z.enum(["path", "query", "header"]),
    name: text,
    description: text.optional(),
    deprecated: z.literal(true).optional(),
    required: z.boolean().optional(),
    schema: Schema,
  })
  .refine((parameter) => parameter.in !== "path" || parameter.required === true, "is always required");
const Operation = z.strictObject({
  operationId: z.string().regex(/^[a-z][A-Za-z]+$/),
  tags: z.array(text).length(1),
  summary: text,
  description: text,
  deprecated: z.literal(true).optional(),
  security: z.array(z.record(z.string(), z.array(z.string()).max(1))),
  parameters: z.array(orReference(Parameter)),
  requestBody: z
    .strictObject({ description: text.optional(), required: z.boolean(), content: Content })
    .optional(),
  responses: z.record(z.string().regex(/^(default|[1-5](\d\d|XX))$/), orReference(Response)),
});
const PathItem = z.partialRecord(z.enum(["get", "post", "put", "patch", "delete"]), Operation);
const SecurityScheme = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("http"), scheme: z.literal("bearer"), description: text }),
  z.strictObject({ type: z.literal("apiKey"), in: z.literal("cookie"), name: text, description: text }),
]);

/** What a document of OpenAPI 3.1 is made of. */
export const OpenApi = z.strictObject({
  openapi: z.string().regex(/^3\.1\.\d+$/),
  info: z.strictObject({
    title: text,
    summary: text,
    description: text,
    version: text,
    license: z.strictObject({ name: text, identifier: text }),
  }),
  servers: z.array(z.strictObject({ url: z.url() })).length(1),
  tags: z.array(z.strictObject({ name: text, description: text })),
  paths: z.record(z.string().startsWith("/"), PathItem),
  webhooks: mapOf(PathItem),
  components: z.strictObject({
    schemas: mapOf(Schema),
    headers: mapOf(Header),
    parameters: mapOf(Parameter),
    responses: mapOf(Response),
    examples: mapOf(Example),
    securitySchemes: mapOf(SecurityScheme),
  }),
});
export type OpenApi = z.infer<typeof OpenApi>;
export type SchemaObject = z.infer<typeof Schema>;
export type ResponseObject = z.infer<typeof Response>;
export type OperationObject = z.infer<typeof Operation>;
