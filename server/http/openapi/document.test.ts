import { describe, expect, it } from "vitest";
import * as z from "zod";
import { operations } from "#contracts/index.ts";
import { PROBLEMS } from "#contracts/problems.ts";
import { testDocument } from "./testing-document.ts";
import { schemaChecker } from "./testing-schema.ts";
import type { OperationObject, ResponseObject, SchemaObject } from "./testing-structure.ts";

const document = testDocument();
const { components, paths } = document;
const calls = Object.entries(paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, call]) => ({ path, method: method.toUpperCase(), ...call })),
);
const webhooks = Object.values(document.webhooks).flatMap((item) => Object.values(item));
const key = ({ method, path }: { method: string; path: string }) => `${method} ${path}`;

/** Every object within a JSON value. */
function* objectsIn(value: unknown): Generator<Record<string, unknown>> {
  if (typeof value !== "object" || value === null) return;
  if (!Array.isArray(value)) yield value as Record<string, unknown>;
  for (const part of Object.values(value)) yield* objectsIn(part);
}

/** The schema with all that it refers to. */
function* schemasWithin(schema: SchemaObject): Generator<SchemaObject> {
  for (const part of objectsIn(schema) as Generator<SchemaObject>) {
    yield part;
    const referred = part.$ref && components.schemas[part.$ref.split("/").at(-1) ?? ""];
    if (referred) yield* schemasWithin(referred);
  }
}

function resolved(ref: string): ResponseObject {
  const response = components.responses[ref.split("/").at(-1) ?? ""];
  if (!response) throw new Error(`${ref} leads nowhere`);
  return response;
}

const bodySchema = (call: Pick<OperationObject, "requestBody">) =>
  call.requestBody?.content["application/json"]?.schema ?? {};

describe("the OpenAPI document", () => {
  it("has every operation of the contract and no other", () => {
    expect(calls.map(key).sort()).toEqual(operations.map(key).sort());
  });

  it("leads every reference to something, and has no schema, parameter or answer that nothing refers to", () => {
    const used = [...objectsIn(document)].flatMap(({ $ref }) => (typeof $ref === "string" ? [$ref] : []));
    const present = Object.entries(components).flatMap(([kind, parts]) =>
      Object.keys(parts).map((name) => `#/components/${kind}/${name}`),
    );
    expect([...new Set(used)].filter((ref) => !present.includes(ref))).toEqual([]);
    // 405 is the answer of a path, not of an operation.
    const unused = present.filter((ref) => !used.includes(ref) && !ref.endsWith("/method-not-allowed"));
    expect(unused.filter((ref) => /schemas|parameters|responses/.test(ref))).toEqual([]);
  });

  it("names each operation once, with a tag and ways to authenticate that are described", () => {
    const ids = [...calls, ...webhooks].map((call) => call.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    const tags = document.tags.map(({ name }) => name);
    for (const call of [...calls, ...webhooks]) expect(tags).toContain(call.tags[0]);
    for (const call of calls) {
      expect(call.security.length, call.operationId).toBeGreaterThan(0);
      for (const way of call.security.flatMap(Object.keys))
        expect(components.securitySchemes).toHaveProperty(way);
    }
  });

  it("has a parameter for each name in a path, and no parameter twice", () => {
    for (const { path, parameters, operationId } of calls) {
      const given = parameters.flatMap((parameter) => ("in" in parameter ? [parameter] : []));
      const inPath = given.filter((parameter) => parameter.in === "path").map(({ name }) => name);
      expect(inPath, operationId).toEqual([...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]));
      const names = given.map((parameter) => `${parameter.in} ${parameter.name}`);
      expect(new Set(names).size, operationId).toBe(names.length);
    }
  });

  it("tells of every problem, in its status and with a valid example", () => {
    const fits = schemaChecker(document);
    const ofCalls = calls.flatMap(({ responses }) => Object.entries(responses));
    const ofPaths = ["405", { $ref: "#/components/responses/method-not-allowed" }] as const;
    const told = [...ofCalls, ofPaths].flatMap(([status, answer]) => {
      const { content } = "$ref" in answer ? resolved(answer.$ref) : answer;
      const examples = content?.["application/problem+json"]?.examples ?? {};
      return Object.keys(examples).map((slug) => `${status} ${slug}`);
    });
    const known = Object.entries(PROBLEMS).map(([slug, { status }]) => `${status} ${slug}`);
    const needless = operations.some(({ idempotencyKey }) => idempotencyKey === "required")
      ? []
      : ["400 idempotency-key-missing"];
    expect([...new Set([...told, ...needless])].sort()).toEqual([...known, "500 internal-error"].sort());
    expect(Object.keys(components.examples)).toEqual([...Object.keys(PROBLEMS), "internal-error"]);
    for (const { value } of Object.values(components.examples))
      expect(fits(components.schemas.Problem ?? {}, value)).toEqual([]);
  });

  it("takes no unknown members in bodies, and promises none in answers", () => {
    for (const call of calls)
      for (const schema of schemasWithin(bodySchema(call)))
        if (schema.properties) expect(schema.additionalProperties, call.operationId).toBe(false);
    const answers = [...calls.map(({ responses }) => responses), ...webhooks.map(bodySchema)];
    for (const part of objectsIn(answers))
      for (const schema of schemasWithin(part)) expect(schema.additionalProperties).not.toBe(false);
  });
});

describe("its examples", () => {
  const fits = schemaChecker(document);

  it("fit the schemas that they stand for, all of which have one", () => {
    for (const [name, schema] of Object.entries(components.schemas)) {
      expect(schema.examples, name).toHaveLength(1);
      expect(fits(schema, schema.examples?.[0]), name).toEqual([]);
    }
    for (const part of objectsIn(document))
      if ("schema" in part && "example" in part)
        expect(fits(part.schema as SchemaObject, part.example)).toEqual([]);
    for (const { schema } of Object.values({ ...components.headers, ...components.parameters }))
      for (const example of schema.examples ?? schema.enum ?? [undefined])
        expect(fits(schema, example)).toEqual([]);
  });

  it("are taken and given by the operations themselves", () => {
    for (const operation of operations) {
      const call = calls.find(({ operationId }) => operationId === operation.id);
      const sent = call?.requestBody?.content["application/json"]?.example;
      expect(operation.body?.safeParse(sent).error, operation.id).toBeUndefined();
      // The representation may be what has to be asked for.
      const answer = call?.responses[operation.status === 204 && operation.response ? 200 : operation.status];
      const got = answer && "content" in answer ? answer.content?.["application/json"]?.example : undefined;
      expect(operation.response?.safeParse(got).error, operation.id).toBeUndefined();
    }
  });

  it("stand at every parameter, as the call takes them", () => {
    for (const operation of operations) {
      const call = calls.find(({ operationId }) => operationId === operation.id);
      for (const parameter of call?.parameters ?? []) {
        if (!("in" in parameter)) continue;
        const { in: place, name, schema } = parameter;
        const [example] = [...schemasWithin(schema)].flatMap(
          (part) => part.examples ?? part.enum ?? part.default ?? [],
        );
        expect(example, `${operation.id} ${name}`).toBeDefined();
        const shape = { path: operation.params, query: operation.query, header: undefined }[place];
        if (shape instanceof z.ZodObject)
          expect(shape.shape[name].safeParse(String(example)).error, name).toBeUndefined();
      }
    }
  });
});
