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
});
