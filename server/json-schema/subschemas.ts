/** Where JSON Schema 2020-12 has subschemas: as the value of a keyword, in a list, or as the values of an object. */
const POSITIONS: Readonly<Record<string, "one" | "list" | "map">> = {
  not: "one",
  if: "one",
  // biome-ignore lint/suspicious/noThenProperty: the keyword's name.
  then: "one",
  else: "one",
  items: "one",
  contains: "one",
  additionalProperties: "one",
  propertyNames: "one",
  unevaluatedItems: "one",
  unevaluatedProperties: "one",
  allOf: "list",
  anyOf: "list",
  oneOf: "list",
  prefixItems: "list",
  properties: "map",
  patternProperties: "map",
  dependentSchemas: "map",
  $defs: "map",
  definitions: "map",
};

/** Keywords whose subschemas are asked about the very value that the schema itself is asked about. */
const IN_PLACE = new Set(["not", "if", "then", "else", "allOf", "anyOf", "oneOf", "dependentSchemas"]);

export type JsonObject = Readonly<Record<string, unknown>>;
type Path = readonly (string | number)[];

/** A schema inside a schema document. */
export interface Subschema {
  /** From the root of the document. */
  path: Path;
  schema: boolean | JsonObject;
  children: readonly { keyword: string; isInPlace: boolean; of: Subschema }[];
}

/** The tree of a schema document. What stands where a schema should and is none is left out. */
export function subschemasOf(schema: unknown, path: Path = []): Subschema | undefined {
  if (typeof schema === "boolean") return { path, schema, children: [] };
  if (!isObject(schema)) return undefined;
  const children = Object.entries(schema).flatMap(([keyword, value]) =>
    parts(keyword, value).flatMap(([part, below]) => {
      const of = subschemasOf(part, [...path, keyword, ...below]);
      return of ? [{ keyword, isInPlace: IN_PLACE.has(keyword), of }] : [];
    }),
  );
  return { path, schema, children };
}

function parts(keyword: string, value: unknown): [unknown, Path][] {
  switch (positionOf(keyword)) {
    case "one":
      return [[value, []]];
    case "list":
      return Array.isArray(value) ? value.map((part, index): [unknown, Path] => [part, [index]]) : [];
    case "map":
      return isObject(value)
        ? Object.entries(value).map(([name, part]): [unknown, Path] => [part, [name]])
        : [];
    default:
      return [];
  }
}

/** The keywords of a schema that hold subschemas, with what `map` makes of each of these. */
export function mapSubschemas(schema: JsonObject, map: (subschema: unknown) => unknown): JsonObject {
  const mapped = Object.entries(schema).flatMap(([keyword, value]): [string, unknown][] => {
    switch (positionOf(keyword)) {
      case "one":
        return [[keyword, map(value)]];
      case "list":
        return Array.isArray(value) ? [[keyword, value.map(map)]] : [];
      case "map": {
        if (!isObject(value)) return [];
        const members = Object.entries(value).map(([name, part]) => [name, map(part)]);
        return [[keyword, Object.fromEntries(members)]];
      }
      default:
        return [];
    }
  });
  return Object.fromEntries(mapped);
}

const positionOf = (keyword: string) => (Object.hasOwn(POSITIONS, keyword) ? POSITIONS[keyword] : undefined);

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
