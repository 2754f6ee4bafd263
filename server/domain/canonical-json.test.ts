import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalJson } from "./canonical-json.ts";

describe("canonicalJson", () => {
  it("does not depend on the order of members, white space or escapes", () => {
    expect(canonicalJson(' { "b" : [1, 2], "a" : "\\u0041" } ')).toBe('{"a":"A","b":[1,2]}');
  });

  it("keeps numbers as they were spelled, so that big integers differ", () => {
    expect(canonicalJson('{"n":9007199254740993,"m":1.50,"e":1E2}')).toBe(
      '{"e":1E2,"m":1.50,"n":9007199254740993}',
    );
  });

  it("takes the last of two members of one name", () => {
    expect(canonicalJson('{"a":1,"a":2}')).toBe('{"a":2}');
  });

  it("is the same for every order of the members of a value, and says the same as the value", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 })), (value) => {
        fc.pre(!Object.hasOwn(value, "__proto__"));
        const reversed = Object.fromEntries(Object.entries(value).reverse());
        const canonical = canonicalJson(JSON.stringify(value));
        expect(canonicalJson(JSON.stringify(reversed))).toBe(canonical);
        expect(JSON.parse(canonical)).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it("differs where values differ, at whatever depth", () => {
    const value = fc.jsonValue({ maxDepth: 3 });
    fc.assert(
      fc.property(value, value, (a, b) => {
        fc.pre(![a, b].some((part) => JSON.stringify(part).includes('"__proto__"')));
        const [left, right] = [a, b].map((part) => JSON.stringify(part));
        const isSame = canonicalJson(left ?? "") === canonicalJson(right ?? "");
        expect(isSame).toBe(sorted(left) === sorted(right));
      }),
      { numRuns: 500 },
    );
  });

  it("differs after any one change within a value", () => {
    const leaf = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null));
    const steps = fc.array(fc.constantFrom("a", "b", 0, 1), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(steps, leaf, leaf, (path, one, other) => {
        fc.pre(!Object.is(one, other));
        const [left, right] = [one, other].map((end) =>
          path.reduceRight<unknown>(
            (inner, step) =>
              typeof step === "number" ? ["x", "y"].with(step, inner as string) : { [step]: inner, z: 1 },
            end,
          ),
        );
        expect(canonicalJson(JSON.stringify(left))).not.toBe(canonicalJson(JSON.stringify(right)));
      }),
    );
  });
});

/** JSON text with the members of every object in one order. */
function sorted(text: string | undefined): string {
  return JSON.stringify(JSON.parse(text ?? ""), (_name, value) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
}
