import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mergePatch } from "./merge-patch.ts";

// RFC 7396, appendix A: original, patch, result.
const APPENDIX_A = [
  ['{"a":"b"}', '{"a":"c"}', '{"a":"c"}'],
  ['{"a":"b"}', '{"b":"c"}', '{"a":"b","b":"c"}'],
  ['{"a":"b"}', '{"a":null}', "{}"],
  ['{"a":"b","b":"c"}', '{"a":null}', '{"b":"c"}'],
  ['{"a":["b"]}', '{"a":"c"}', '{"a":"c"}'],
  ['{"a":"c"}', '{"a":["b"]}', '{"a":["b"]}'],
  ['{"a":{"b":"c"}}', '{"a":{"b":"d","c":null}}', '{"a":{"b":"d"}}'],
  ['{"a":[{"b":"c"}]}', '{"a":[1]}', '{"a":[1]}'],
  ['["a","b"]', '["c","d"]', '["c","d"]'],
  ['{"a":"b"}', '["c"]', '["c"]'],
  ['{"a":"foo"}', "null", "null"],
  ['{"a":"foo"}', '"bar"', '"bar"'],
  ['{"e":null}', '{"a":1}', '{"e":null,"a":1}'],
  ["[1,2]", '{"a":"b","c":null}', '{"a":"b"}'],
  ["{}", '{"a":{"bb":{"ccc":null}}}', '{"a":{"bb":{}}}'],
] as const;

// Names that mean something to an object of JavaScript are as likely as others.
const name = fc.oneof(
  fc.constantFrom("a", "b", "__proto__", "constructor", "toString", "length", "0", ""),
  fc.string(),
);
const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constant(null),
    fc.boolean(),
    fc.integer(),
    fc.string(),
    tie("list"),
    tie("object"),
  ),
  list: fc.array(tie("value"), { maxLength: 3 }),
  object: fc
    .array(fc.tuple(name, tie("value")), { maxLength: 4 })
    .map((members) => Object.fromEntries(members)),
}));
const { value: anyJson, object: anyObject } = json;

const read = (text: string): unknown => JSON.parse(text);
const isObject = (value: unknown) => typeof value === "object" && value !== null && !Array.isArray(value);
const withoutNulls = (value: unknown): unknown =>
  isObject(value)
    ? Object.fromEntries(
        Object.entries(value as object).flatMap(([key, member]) =>
          member === null ? [] : [[key, withoutNulls(member)]],
        ),
      )
    : value;

describe("mergePatch", () => {
  it.each(APPENDIX_A)("makes of %s by %s: %s", (original, patch, result) => {
    expect(JSON.stringify(mergePatch(read(original), read(patch)))).toBe(result);
  });

  it("changes neither target nor patch", () => {
    fc.assert(
      fc.property(anyJson, anyJson, (target, patch) => {
        const before = JSON.stringify([target, patch]);
        mergePatch(target, patch);
        expect(JSON.stringify([target, patch])).toBe(before);
      }),
    );
  });

  it("changes nothing more when the patch comes again", () => {
    fc.assert(
      fc.property(anyJson, anyJson, (target, patch) => {
        const once = mergePatch(target, patch);
        expect(JSON.stringify(mergePatch(once, patch))).toBe(JSON.stringify(once));
      }),
    );
  });

  it("changes nothing by an empty patch of an object, and gives a patch without its nulls to what is none", () => {
    fc.assert(
      fc.property(anyObject, anyJson, (object, patch) => {
        expect(JSON.stringify(mergePatch(object, {}))).toBe(JSON.stringify(object));
        expect(JSON.stringify(mergePatch(1, patch))).toBe(JSON.stringify(withoutNulls(patch)));
      }),
    );
  });

  it("gives each member what the patch says of it, and leaves the others as they were", () => {
    fc.assert(
      fc.property(anyObject, anyObject, (target, patch) => {
        const before = new Map(Object.entries(target as object));
        const wanted = new Map(Object.entries(patch as object));
        const result = new Map(Object.entries(mergePatch(target, patch) as object));
        for (const key of new Set([...before.keys(), ...wanted.keys()])) {
          const change = wanted.get(key);
          if (!wanted.has(key)) expect(result.get(key)).toBe(before.get(key));
          else if (change === null) expect(result.has(key)).toBe(false);
          else
            expect(JSON.stringify(result.get(key))).toBe(JSON.stringify(mergePatch(before.get(key), change)));
        }
        expect([...result.keys()].every((key) => before.has(key) || wanted.has(key))).toBe(true);
      }),
    );
  });

  it("takes `__proto__` for a member, and touches no prototype", () => {
    const patch = read('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}');
    for (const target of [{}, [], 1, read('{"__proto__":{"a":1}}')]) {
      const result = mergePatch(target, patch);
      expect(Object.getPrototypeOf(result)).toBe(Object.prototype);
      expect(Object.hasOwn(result as object, "__proto__")).toBe(true);
      expect(JSON.stringify(result)).toContain('"__proto__":{');
    }
    expect("polluted" in {}).toBe(false);
    expect("polluted" in Object).toBe(false);
  });

  it("removes no member that an object only inherits", () => {
    expect(mergePatch({}, { toString: { a: null } })).toEqual({ toString: {} });
  });
});
