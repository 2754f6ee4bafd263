/** What is read of a JSON Schema to make an example. */
export interface ExampleSchema {
  $ref?: string;
  type?: string | string[];
  examples?: unknown[];
  default?: unknown;
  const?: unknown;
  enum?: unknown[];
  anyOf?: ExampleSchema[];
  items?: ExampleSchema;
  properties?: Record<string, ExampleSchema>;
  required?: string[];
}

const COMPONENTS = "#/components/schemas/";

/**
 * A value that fits the schema, made of the examples within it: an object of its required members and of those
 * optional ones that have an example of their own; what may be null is null unless it has an example of its own.
 * `where` names the schema in the error for a value that nobody has given an example.
 */
export function exampleOf(
  schema: ExampleSchema,
  components: Readonly<Record<string, ExampleSchema>>,
  where: string,
): unknown {
  const inner = (part: ExampleSchema, name: string) => exampleOf(part, components, `${where}${name}`);
  const own = [...(schema.examples ?? []), ...("default" in schema ? [schema.default] : [])];
  if (own.length > 0) return own[0];
  if (schema.const !== undefined) return schema.const;
  if (schema.$ref !== undefined)
    return inner(components[schema.$ref.slice(COMPONENTS.length)] ?? {}, ` (${schema.$ref})`);
  if (isNullable(schema)) return null;
  if (schema.enum) return schema.enum[0];
  if (schema.anyOf?.[0]) return inner(schema.anyOf[0], "");
  if (schema.type === "boolean") return false;
  if (schema.type === "array" && schema.items) return [inner(schema.items, "[]")];
  if (!schema.properties) throw new Error(`${where} needs .meta({ example }).`);
  const shown = Object.entries(schema.properties).filter(
    ([name, member]) => schema.required?.includes(name) || member.examples,
  );
  return Object.fromEntries(shown.map(([name, member]) => [name, inner(member, `.${name}`)]));
}

function isNullable({ type, anyOf }: ExampleSchema): boolean {
  return [type].flat().includes("null") || (anyOf ?? []).some((part) => part.type === "null");
}
