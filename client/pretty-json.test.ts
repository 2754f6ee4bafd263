import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { prettyJson } from "./pretty-json.ts";

describe("prettyJson", () => {
  it("breaks lines and indents", () => {
    expect(prettyJson('{"a":[1,{"b":null}],"c":{}, "d":[]}')).toBe(
      '{\n  "a": [\n    1,\n    {\n      "b": null\n    }\n  ],\n  "c": {},\n  "d": []\n}',
    );
  });

  it("keeps the spelling of numbers and strings", () => {
    const text = String.raw`{"n":90071992547409931234.500,"s":"é {\"x\": [1, 2]}"}`;

    expect(prettyJson(text)).toBe(
      String.raw`{
  "n": 90071992547409931234.500,
  "s": "é {\"x\": [1, 2]}"
}`,
    );
  });

  it("leaves what is no JSON to the raw view", () => {
    expect(prettyJson("<html>")).toBeNull();
    expect(prettyJson("")).toBeNull();
  });

  it("never changes what the text means", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(JSON.parse(prettyJson(JSON.stringify(value)) ?? "")).toEqual(
          JSON.parse(JSON.stringify(value)),
        );
      }),
    );
  });

  it("looks like JSON.stringify wherever that is exact", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(prettyJson(JSON.stringify(value))).toBe(JSON.stringify(value, null, 2));
      }),
    );
  });
});
