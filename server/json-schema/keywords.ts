import type { FuncKeywordDefinition } from "ajv/dist/2020.js";
import type { JsonObject } from "./subschemas.ts";
import type { Work } from "./work.ts";

/** What asking a schema about a value costs: by itself, and for each member, element and character of the value. */
interface Cost {
  base: number;
  perPart: number;
  perCharacter: number;
}

/** The names that our own keywords take in place of the standard ones; no schema of a tenant has them any more. */
export const OWN = {
  cost: "x-cost",
  enum: "x-enum",
  const: "x-const",
  uniqueItems: "x-unique-items",
} as const;

const OF_PARTS = [
  "items",
  "contains",
  "unevaluatedItems",
  "propertyNames",
  "patternProperties",
  "additionalProperties",
  "unevaluatedProperties",
];
const OF_CHARACTERS = ["minLength", "maxLength", "format"];

/** Of going into a schema at all, and of keeping an error of it in mind. */
const CALL = 6;

const sizeOf = (value: unknown) =>
  typeof value === "object" && value !== null ? Object.keys(value).length : 0;

/** What a schema costs, without those inside it. */
export function costOf(schema: JsonObject): Cost {
  const lists = ["required", "properties", "patternProperties", "dependentRequired", "prefixItems"];
  const applicators = ["allOf", "anyOf", "oneOf", "dependentSchemas"];
  const sized = [...lists, ...applicators].reduce((sum, keyword) => sum + sizeOf(schema[keyword]), 0);
  const dependent = Object.values(schema.dependentRequired ?? {}).reduce(
    (sum: number, names) => sum + sizeOf(names),
    0,
  );
  const scans = OF_PARTS.some((keyword) => schema[keyword] !== undefined);
  return {
    base: CALL + Object.keys(schema).length + sized + dependent,
    perPart: scans ? 1 + sizeOf(schema.patternProperties) + sizeOf(schema.properties) : 0,
    perCharacter: OF_CHARACTERS.filter((keyword) => schema[keyword] !== undefined).length / 16,
  };
}

/**
 * Our own keywords: one that counts the work of each schema before anything else of it is looked at, and replacements
 * for those whose work grows with the square of the data.
 */
export function ownKeywords(work: Work): FuncKeywordDefinition[] {
  return [
    {
      keyword: OWN.cost,
      // The first keyword there is: what comes before it would not be counted.
      before: "$dynamicAnchor",
      errors: false,
      validate: (cost: Cost, data: unknown) => {
        const parts = cost.perPart === 0 ? 0 : cost.perPart * sizeOf(data);
        const characters = typeof data === "string" ? cost.perCharacter * data.length : 0;
        work.spend(cost.base + parts + characters);
        return true;
      },
    },
    {
      keyword: OWN.enum,
      errors: false,
      error: { message: "must be equal to one of the allowed values" },
      compile: (values: unknown[]) => isAmong(values, work),
    },
    {
      keyword: OWN.const,
      errors: false,
      error: { message: "must be equal to constant" },
      compile: (value: unknown) => isAmong([value], work),
    },
    {
      keyword: OWN.uniqueItems,
      type: "array",
      errors: false,
      error: { message: "must NOT have duplicate items" },
      validate: (isWanted: boolean, items: unknown[]) => {
        if (!isWanted) return true;
        const seen = new Set<string>();
        return items.every((item) => {
          const key = keyOf(item, work);
          return !seen.has(key) && seen.add(key);
        });
      },
    },
  ];
}

function isAmong(values: readonly unknown[], work: Work): (data: unknown) => boolean {
  const free = { spend() {} };
  const keys = new Set(values.map((value) => keyOf(value, free)));
  return (data) => keys.has(keyOf(data, work));
}

/** A text that equal JSON values have in common, and different ones have not. */
function keyOf(value: unknown, work: Pick<Work, "spend">): string {
  if (typeof value === "string") {
    work.spend(1 + value.length / 16);
    return JSON.stringify(value);
  }
  work.spend(1);
  // -0 and 0 are the same number.
  if (typeof value !== "object" || value === null) return String(value);
  if (Array.isArray(value)) return `[${value.map((item) => keyOf(item, work)).join()}]`;
  const members = Object.entries(value).map(([name, part]) => `${JSON.stringify(name)}:${keyOf(part, work)}`);
  return `{${members.sort().join()}}`;
}
