import * as z from "zod";
import type { OpenApi, SchemaObject } from "./testing-structure.ts";

/** Checks values against the JSON Schemas of a document as they were emitted, not against those they came from. */
export function schemaChecker(document: OpenApi): (schema: SchemaObject, value: unknown) => string[] {
  // zod reads references below $defs only.
  const local = (part: unknown) =>
    JSON.parse(JSON.stringify(part).replaceAll("#/components/schemas/", "#/$defs/"), widen);
  const $defs = local(document.components.schemas);
  const known = new Map<string, z.ZodType>();
  return (schema, value) => {
    const key = JSON.stringify(schema);
    const checker =
      known.get(key) ?? z.fromJSONSchema({ ...local(schema), $defs }, { registry: z.registry() });
    known.set(key, checker);
    const issues = checker.safeParse(value).error?.issues ?? [];
    return issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`);
  };
}

/** Lets zod take an integer of 64 bits that is beyond 2^53. */
function widen(_name: string, part: unknown): unknown {
  const isInt64 = typeof part === "object" && part !== null && "format" in part && part.format === "int64";
  return isInt64 ? { ...part, type: "number", format: undefined, multipleOf: 1 } : part;
}
