import { Ajv2020 } from "ajv/dist/2020.js";
import { pointer } from "../domain/json-pointer.ts";
import type { Issue } from "../errors.ts";
import { compileSchema, type Validate } from "./compile-schema.ts";
import { linearRegExp } from "./linear-regexp.ts";
import { resolveReferences } from "./references.ts";
import { isObject, type JsonObject, type Subschema, subschemasOf } from "./subschemas.ts";

const MAX_SUBSCHEMAS = 500;
const MAX_PATTERNS = 100;
const MAX_ISSUES = 20;

const DIALECT = "https://json-schema.org/draft/2020-12/schema";

/** Keywords by which a schema could reach beyond itself, or change what it means while it is asked. */
const REFUSED = ["$id", "$dynamicRef", "$dynamicAnchor", "$recursiveRef", "$recursiveAnchor", "$async"];

/**
 * Reads a JSON Schema (2020-12) that a tenant has written, any JSON value: what is wrong with it, or the validation it
 * asks for. `at` is where the schema lies.
 */
export function checkSchema(
  schema: unknown,
  at: readonly PropertyKey[],
): { ok: true; validate: Validate } | { ok: false; issues: Issue[] } {
  const refused = (issues: Issue[]) => ({ ok: false, issues: issues.slice(0, MAX_ISSUES) }) as const;
  const root = subschemasOf(schema);
  if (!root) return refused([{ detail: "must be an object, true or false", pointer: pointer(at) }]);
  const all = flatten(root);
  const bounds = boundsOf(all, at);
  if (bounds.length > 0) return refused(bounds);
  const invalid = againstMetaSchema(schema, at);
  if (invalid.length > 0) return refused(invalid);
  const references = resolveReferences(all, at);
  if (references.issues.length > 0) return refused(references.issues);
  const targets = new Map<JsonObject, Subschema>();
  for (const [node, target] of references.targets)
    if (isObject(node.schema)) targets.set(node.schema, target);
  return { ok: true, validate: compileSchema(schema, targets) };
}

function flatten(node: Subschema): Subschema[] {
  return [node, ...node.children.flatMap(({ of }) => flatten(of))];
}

/** What we do not take, although the standard does. */
function boundsOf(all: readonly Subschema[], at: readonly PropertyKey[]): Issue[] {
  if (all.length > MAX_SUBSCHEMAS)
    return [{ detail: `must consist of at most ${MAX_SUBSCHEMAS} schemas`, pointer: pointer(at) }];
  const issues: Issue[] = [];
  let patterns = 0;
  for (const { path, schema } of all) {
    if (!isObject(schema)) continue;
    const refuse = (keyword: readonly PropertyKey[], detail: string) =>
      issues.push({ detail, pointer: pointer([...at, ...path, ...keyword]) });
    for (const keyword of REFUSED) if (Object.hasOwn(schema, keyword)) refuse([keyword], "is not supported");
    if (Object.hasOwn(schema, "$schema") && ![DIALECT, `${DIALECT}#`].includes(String(schema.$schema)))
      refuse(["$schema"], `must be ${DIALECT}`);
    if (Array.isArray(schema.type) && schema.type.length > 7) refuse(["type"], "must be at most 7 types");
    for (const [where, pattern] of patternsOf(schema)) {
      const read =
        ++patterns <= MAX_PATTERNS
          ? linearRegExp(pattern)
          : `must be one of at most ${MAX_PATTERNS} patterns`;
      if (typeof read === "string") refuse(where, read);
    }
    if (issues.length >= MAX_ISSUES) break;
  }
  return issues;
}

function patternsOf(schema: JsonObject): [PropertyKey[], string][] {
  const own: [PropertyKey[], string][] =
    typeof schema.pattern === "string" ? [[["pattern"], schema.pattern]] : [];
  const ofNames = isObject(schema.patternProperties) ? Object.keys(schema.patternProperties) : [];
  return [...own, ...ofNames.map((name): [PropertyKey[], string] => [["patternProperties", name], name])];
}

let metaSchema: Ajv2020 | undefined;

function againstMetaSchema(schema: unknown, at: readonly PropertyKey[]): Issue[] {
  // Patterns and references are looked at more closely than its formats would.
  metaSchema ??= new Ajv2020({ strict: false, allErrors: true, validateFormats: false, logger: false });
  const dialectFree = isObject(schema) ? { ...schema, $schema: DIALECT } : schema;
  if (metaSchema.validate(DIALECT, dialectFree)) return [];
  const issues = (metaSchema.errors ?? []).map((error) => ({
    detail: error.message ?? "is not valid",
    pointer: pointer(at) + error.instancePath,
  }));
  // The first error of a place says most; what follows is that no alternative fits either.
  return [...new Map(issues.reverse().map((issue) => [issue.pointer, issue])).values()].reverse();
}
