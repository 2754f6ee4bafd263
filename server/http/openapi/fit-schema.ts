import * as z from "zod";
import type { ZodOpenApiOverride } from "zod-openapi";

type JsonSchema = Parameters<ZodOpenApiOverride>[0]["jsonSchema"];

/** Makes the JSON Schema that zod gives for one schema say what a client needs to know, and no more. */
export const fitSchema: ZodOpenApiOverride = ({ jsonSchema, zodSchema, io }) => {
  const { def } = zodSchema._zod;
  // Answers may gain members: a client must not refuse what it does not know.
  if (io === "output" && def.type === "object") delete jsonSchema.additionalProperties;
  if (isRepeatable(def)) asArray(jsonSchema);
  if (jsonSchema.type === "integer") fitInteger(jsonSchema, z.globalRegistry.get(zodSchema)?.default);
  // Every member name is a string.
  if (JSON.stringify(jsonSchema.propertyNames) === '{"type":"string"}') delete jsonSchema.propertyNames;
  if (jsonSchema.example !== undefined) {
    jsonSchema.examples = [jsonSchema.example];
    delete jsonSchema.example;
  }
};

/** One value or several of the same: a query parameter that may be repeated. */
function isRepeatable(def: z.core.$ZodTypes["_zod"]["def"]): boolean {
  if (def.type !== "union" || def.options.length !== 2) return false;
  const [one, several] = def.options;
  return several instanceof z.ZodArray && several.element === one;
}

/** A parameter that is given once is an array of one, as `explode` has it by default. */
function asArray(jsonSchema: JsonSchema): void {
  const [, several] = jsonSchema.anyOf ?? [];
  delete jsonSchema.anyOf;
  Object.assign(jsonSchema, several);
}

/** Takes away bounds that only say what a double can hold, and what is true of the text of a parameter alone. */
function fitInteger(jsonSchema: JsonSchema, byDefault: unknown): void {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  delete jsonSchema.pattern;
  if (byDefault !== undefined) jsonSchema.default = byDefault;
}
