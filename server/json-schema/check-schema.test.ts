import { describe, expect, it } from "vitest";
import { checkSchema } from "./check-schema.ts";

const issues = (schema: unknown) => {
  const checked = checkSchema(schema, ["schema"]);
  return checked.ok ? [] : checked.issues;
};
const pointers = (schema: unknown) => issues(schema).map(({ pointer }) => pointer);

/** The pointers of what a value has that its schema does not allow. */
function defects(schema: unknown, value: unknown): string[] {
  const checked = checkSchema(schema, ["schema"]);
  if (!checked.ok) throw new Error(JSON.stringify(checked.issues));
  return checked.validate(value, ["data"], JSON.stringify(value).length).map(({ pointer }) => pointer);
}

describe("a schema", () => {
  it.each([
    [{ type: "object", required: ["a"] }, { a: 1 }, {}, "#/data/a"],
    [{ properties: { a: { type: "string" } } }, { a: "" }, { a: 1 }, "#/data/a"],
    [{ items: { minimum: 2 } }, [2, 3], [2, 1], "#/data/1"],
    [{ prefixItems: [true, { const: 5 }] }, [0, 5], [0, 6], "#/data/1"],
    [{ contains: { type: "null" }, maxContains: 1 }, [null], [null, null], "#/data"],
    [{ properties: { a: true }, additionalProperties: false }, { a: 1 }, { "b/c": 1 }, "#/data/b~1c"],
    [{ allOf: [{ properties: { a: true } }], unevaluatedProperties: false }, { a: 1 }, { b: 1 }, "#/data/b"],
    [{ patternProperties: { "^x-": { type: "number" } } }, { "x-a": 1, b: "" }, { "x-a": "" }, "#/data/x-a"],
    [{ propertyNames: { maxLength: 2 } }, { ab: 1 }, { abc: 1 }, "#/data/abc"],
    [{ dependentRequired: { a: ["b"] } }, { b: 1 }, { a: 1 }, "#/data/b"],
    // biome-ignore lint/suspicious/noThenProperty: the keyword's name.
    [{ if: { required: ["a"] }, then: { required: ["b"] } }, {}, { a: 1 }, "#/data/b"],
    [{ not: { type: "string" } }, 1, "", "#/data"],
    [{ enum: [1, "1", { a: [1, { b: null }] }] }, { a: [1, { b: null }] }, { a: [1] }, "#/data"],
    [{ const: { a: 1, b: 0 } }, { b: -0, a: 1 }, { a: 1 }, "#/data"],
    [
      { uniqueItems: true },
      [1, "1", [1], { a: 1 }],
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
      "#/data",
    ],
    [{ uniqueItems: false }, [1, 1], undefined, ""],
    [{ multipleOf: 0.01 }, 19.99, 19.995, "#/data"],
    [{ pattern: "^\\p{Lu}\\d{2}$" }, "Ä12", "a12", "#/data"],
    [{ format: "email" }, "a.b@example.com", "a", "#/data"],
    [{ format: "date-time" }, "2026-02-28T10:00:00Z", "2026-02-30T10:00:00Z", "#/data"],
    [{ format: "made-up" }, "x", undefined, ""],
    [{ $defs: { a: { $anchor: "it", type: "null" } }, $ref: "#it" }, null, 1, "#/data"],
    [{ $defs: { "a/b~%": { type: "null" } }, $ref: "#/$defs/a~1b~0%25" }, null, 1, "#/data"],
    [
      { properties: { toString: { type: "string" } }, required: ["constructor"] },
      { constructor: 1 },
      {},
      "#/data/constructor",
    ],
    [
      { nullable: true, id: 7, discriminator: {}, "x-own": { type: "no" }, type: "object" },
      {},
      null,
      "#/data",
    ],
    [true, 1, undefined, ""],
    [false, undefined, 1, "#/data"],
  ])("means what the standard says: number %#", (schema, good, bad, pointer) => {
    if (good !== undefined) expect(defects(schema, good)).toEqual([]);
    if (bad !== undefined) expect(defects(schema, bad)).toContain(pointer);
  });

  it.each([
    [5, ["#/schema"]],
    [null, ["#/schema"]],
    [{ type: "strin" }, ["#/schema/type"]],
    [{ properties: { "a/b": { required: "x" } } }, ["#/schema/properties/a~1b/required"]],
    [{ $schema: "http://json-schema.org/draft-07/schema#" }, ["#/schema/$schema"]],
    [{ $id: "https://example.com/a" }, ["#/schema/$id"]],
    [{ items: { $dynamicRef: "#a" } }, ["#/schema/items/$dynamicRef"]],
    [{ $async: true }, ["#/schema/$async"]],
    [{ $ref: "https://example.com/a" }, ["#/schema/$ref"]],
    [{ $ref: "other.json#/a" }, ["#/schema/$ref"]],
    [{ $ref: "#/title", title: "x" }, ["#/schema/$ref"]],
    [{ $ref: "#/%" }, ["#/schema/$ref"]],
    [{ $defs: { a: { $anchor: "x" }, b: { $anchor: "x" } } }, ["#/schema/$defs/b/$anchor"]],
    [{ pattern: "(?<=a)b" }, ["#/schema/pattern"]],
    [{ pattern: "(a)\\1" }, ["#/schema/pattern"]],
    [{ pattern: "(" }, ["#/schema/pattern"]],
    [{ pattern: "\\ud83d\\ude00" }, ["#/schema/pattern"]],
    [{ pattern: "(a{100}){100}" }, ["#/schema/pattern"]],
    [{ pattern: "a".repeat(1001) }, ["#/schema/pattern"]],
    [{ patternProperties: { "[": true } }, ["#/schema/patternProperties/%5B"]],
    [{ items: { type: Array(8).fill("null") } }, ["#/schema/items/type"]],
    [{ allOf: Array(500).fill(true) }, ["#/schema"]],
  ])("is refused with a pointer to what cannot be: number %#", (schema, expected) => {
    expect(pointers(schema)).toEqual(expected);
  });

  it("tells of no more than twenty defects", () => {
    const bad = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`p${at}`, { pattern: "(" }]));
    expect(issues({ properties: bad })).toHaveLength(20);
    expect(defects({ items: { type: "string" } }, Array(50).fill(1))).toHaveLength(20);
  });
});

describe("references", () => {
  it("may go round in a circle with the data", () => {
    const list = {
      $defs: { node: { properties: { next: { $ref: "#/$defs/node" } }, required: ["v"] } },
      $ref: "#/$defs/node",
    };
    let data: object = { v: 1 };
    for (let level = 1; level < 31; level++) data = { v: 1, next: data };
    expect(defects(list, data)).toEqual([]);
    expect(defects({ items: { $ref: "#" }, type: "array" }, [[[], [[]]], []])).toEqual([]);
    expect(defects({ items: { $ref: "#" }, type: "array" }, [[[], [1]], []])).toEqual(["#/data/0/1/0"]);
  });

  const chain = (length: number) => ({
    $ref: "#/$defs/d0",
    $defs: Object.fromEntries(
      Array.from({ length }, (_, at) => [`d${at}`, at + 1 < length ? { $ref: `#/$defs/d${at + 1}` } : true]),
    ),
  });

  it.each([
    [{ $ref: "#" }],
    [{ allOf: [{ $ref: "#/allOf/0" }] }],
    [{ anyOf: [{ type: "null" }, { not: { $ref: "#" } }] }],
    [{ $defs: { a: { $ref: "#/$defs/b" }, b: { if: { $ref: "#/$defs/a" } } } }],
    [chain(33)],
  ])("must not do so without it, nor lead too far: number %#", (schema) => {
    expect(issues(schema)[0]?.detail).toContain("without going deeper into the data");
  });

  it("may lead some way", () => {
    expect(defects(chain(30), 1)).toEqual([]);
  });
});
