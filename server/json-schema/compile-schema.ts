import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import { pointer } from "../domain/json-pointer.ts";
import type { Issue } from "../errors.ts";
import { FORMATS } from "./formats.ts";
import { costOf, OWN, ownKeywords } from "./keywords.ts";
import { linearRegExp } from "./linear-regexp.ts";
import { isObject, type JsonObject, mapSubschemas, type Subschema } from "./subschemas.ts";
import { Work, WorkExceeded } from "./work.ts";

/**
 * Finds what a value has that its schema does not allow; none for a value that is valid. `at` is where the value lies,
 * `size` the length of its JSON text: the work is in proportion to it, or else the value is refused.
 */
export type Validate = (value: unknown, at: readonly PropertyKey[], size: number) => Issue[];

const WORK_BASE = 50_000;
const WORK_PER_CHARACTER = 20;
const MAX_ISSUES = 20;

/** The keywords that assert something about a value by themselves. All others but those with subschemas are left out. */
const ASSERTIONS = [
  ...["type", "multipleOf", "maximum", "exclusiveMaximum", "minimum", "exclusiveMinimum"],
  ...["maxLength", "minLength", "pattern", "format", "maxItems", "minItems", "maxContains", "minContains"],
  ...["maxProperties", "minProperties", "required", "dependentRequired"],
];
const REPLACED = ["enum", "const", "uniqueItems"] as const;

/** Compiles a schema document that `checkSchema` has found good. */
export function compileSchema(root: unknown, targets: ReadonlyMap<JsonObject, Subschema>): Validate {
  const schema = translate(root, targets);
  const brief = compile(schema, { allErrors: false });
  // Made when there is something to tell: most of what is published is valid.
  let thorough: ReturnType<typeof compile> | undefined;
  return (value, at, size) => {
    const budget = WORK_BASE + WORK_PER_CHARACTER * size;
    const first = brief(value, budget);
    if (first === "exceeded")
      return [
        { detail: "takes too much work to be checked against the schema of its type", pointer: pointer(at) },
      ];
    if (first.length === 0) return [];
    thorough ??= compile(schema, { allErrors: true });
    // Errors by the thousand are not collected: then the first one has to do.
    const all = thorough(value, WORK_BASE);
    return issuesOf(all === "exceeded" ? first : all, at);
  };
}

function compile(
  schema: unknown,
  { allErrors }: { allErrors: boolean },
): (value: unknown, budget: number) => readonly ErrorObject[] | "exceeded" {
  const work = new Work();
  const regExp = (pattern: string) => {
    const compiled = linearRegExp(pattern);
    if (typeof compiled === "string") throw new Error(compiled);
    // ajv tells patterns apart by their text.
    return { test: (text: string) => work.match(text, () => compiled.test(text)), toString: () => pattern };
  };
  // One for each schema: it keeps all that it ever compiled.
  const ajv = new Ajv2020({
    strict: false,
    allErrors,
    meta: false,
    validateSchema: false,
    inlineRefs: false,
    ownProperties: true,
    // 19.99 is a multiple of 0.01, although 19.99 / 0.01 is not a whole number.
    multipleOfPrecision: 6,
    formats: { ...FORMATS },
    logger: false,
    code: { regExp: Object.assign(regExp, { code: "regExp" }), optimize: false },
  });
  for (const keyword of ownKeywords(work)) ajv.addKeyword(keyword);
  const validate: ValidateFunction = ajv.compile(schema as boolean | JsonObject);
  return (value, budget) => {
    work.allow(budget);
    try {
      return validate(value) ? [] : (validate.errors ?? []);
    } catch (error) {
      if (error instanceof WorkExceeded) return "exceeded";
      throw error;
    }
  };
}

/** The schema in the keywords that we have validated by ajv: nothing of a tenant's gets there that is not known. */
function translate(schema: unknown, targets: ReadonlyMap<JsonObject, Subschema>): unknown {
  if (!isObject(schema)) return schema;
  const target = targets.get(schema);
  const kept = ASSERTIONS.filter((keyword) => Object.hasOwn(schema, keyword)).map((keyword) => [
    keyword,
    schema[keyword],
  ]);
  const replaced = REPLACED.filter((keyword) => Object.hasOwn(schema, keyword)).map((keyword) => [
    OWN[keyword],
    schema[keyword],
  ]);
  return {
    [OWN.cost]: costOf(schema),
    ...Object.fromEntries([...kept, ...replaced]),
    ...mapSubschemas(schema, (part) => translate(part, targets)),
    ...(target ? { $ref: pointer(target.path) } : {}),
  };
}

function issuesOf(errors: readonly ErrorObject[], at: readonly PropertyKey[]): Issue[] {
  const issues = errors.map((error) => ({
    detail: error.message ?? "is not valid",
    pointer: pointer([...at, ...placeOf(error)]),
  }));
  const told = new Map(issues.map((issue) => [`${issue.pointer} ${issue.detail}`, issue]));
  return [...told.values()].slice(0, MAX_ISSUES);
}

/** Where an error is: at the value, or at the member of it that is missing or too many. */
function placeOf({ instancePath, params, propertyName }: ErrorObject): string[] {
  const path = instancePath
    .split("/")
    .slice(1)
    .map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"));
  const members: unknown[] = [
    params.missingProperty,
    params.additionalProperty,
    params.unevaluatedProperty,
    propertyName,
  ];
  const member = members.find((name) => typeof name === "string");
  return typeof member === "string" ? [...path, member] : path;
}
