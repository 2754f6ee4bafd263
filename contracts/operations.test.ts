import { describe, expect, it } from "vitest";
import * as z from "zod";
import { operations } from "./index.ts";
import { API_KEY_SCOPES, PORTAL_SCOPES, ROLE_SCOPES } from "./scopes.ts";

const scopes: readonly string[] = [...API_KEY_SCOPES, ...PORTAL_SCOPES, ...Object.values(ROLE_SCOPES).flat()];

/** Names that the first contract gave, letter for letter. */
const GIVEN = ["cartId", "CustomerId", "Total", "Currency"];

/** The names of all members within a schema. */
function namesIn(schema: unknown): string[] {
  if (typeof schema !== "object" || schema === null) return [];
  if (Array.isArray(schema)) return schema.flatMap(namesIn);
  const { properties, ...rest } = schema as { properties?: Record<string, unknown> };
  const {
    example: _example,
    examples: _examples,
    default: _default,
    ...parts
  } = rest as Record<string, unknown>;
  return [
    ...Object.keys(properties ?? {}),
    ...Object.values(properties ?? {}).flatMap(namesIn),
    ...Object.values(parts).flatMap(namesIn),
  ];
}

const schemaOf = (schema: z.ZodType | undefined, io: "input" | "output") =>
  schema ? z.toJSONSchema(schema, { io, unrepresentable: "any" }) : {};

describe.each(operations)("$method $path", (operation) => {
  it("is told in words, under a tag", () => {
    const { id, tag, summary, description = "." } = operation;
    expect(id).toMatch(/^[a-z][A-Za-z]+$/);
    expect(tag).toMatch(/^[A-Z][a-zA-Z ]+$/);
    expect(summary).toMatch(/^[A-Z].*[^.]$/);
    expect(description).toMatch(/[.!?]$/);
  });

  it("needs a scope that somebody can hold", () => {
    expect(scopes).toContain(operation.scope);
  });

  it("describes just the parameters that its path has", () => {
    const inPath = [...operation.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
    const described = operation.params instanceof z.ZodObject ? Object.keys(operation.params.shape) : [];
    expect(described.sort()).toEqual(inPath.sort());
    expect(operation.path).toMatch(/^(\/([a-z-]+|\{[A-Za-z]+\}))+$/);
  });

  it("names its members in snake_case, but for those that were given", () => {
    const names = [
      ...namesIn(schemaOf(operation.query, "input")),
      ...namesIn(schemaOf(operation.body, "input")),
      ...namesIn(schemaOf(operation.response, "output")),
    ];
    const odd = names.filter((name) => !/^\$?[a-z][a-z0-9_]*$/.test(name) && !GIVEN.includes(name));
    expect([...new Set(odd)]).toEqual([]);
  });

  it("has the parts that its method and its answer need", () => {
    expect(operation.response === undefined).toBe(operation.status === 204 && !operation.prefer);
    if (operation.method === "GET") expect(operation.body).toBeUndefined();
    if (operation.ifMatch) expect(operation.versioned).toBe(true);
    if (operation.idempotencyKey) expect(operation.method).toBe("POST");
  });
});

describe("the operations together", () => {
  it("have ids and calls of their own", () => {
    const unique = (names: string[]) => expect(new Set(names).size).toBe(names.length);
    unique(operations.map(({ id }) => id));
    unique(operations.map(({ method, path }) => `${method} ${path.replaceAll(/\{\w+\}/g, "{}")}`));
  });

  it("use every scope there is", () => {
    const used = operations.map(({ scope }) => scope);
    expect(API_KEY_SCOPES.filter((scope) => !used.includes(scope))).toEqual([]);
  });
});
