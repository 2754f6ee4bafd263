import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { scanJson, textAt } from "./json-scan.ts";

const isJson = (text: string) => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

describe("scanJson", () => {
  it.each([
    ["", 1, 1, "a value is missing"],
    ['{\n  "a": 1\n  "b": 2\n}', 3, 3, "a comma or } is missing"],
    ['{\n  "a": 1,\n}', 3, 1, "a name in double quotes is missing"],
    ["[1, 2,\n]", 2, 1, "a value is missing"],
    ["{'a': 1}", 1, 2, "a name in double quotes is missing"],
    ['{"a" 1}', 1, 6, "a colon is missing"],
    ['{"a": "b}', 1, 7, "this text has no end"],
    ['{"a": 01}', 1, 8, "a comma or } is missing"],
    ["{} {}", 1, 4, "nothing may follow"],
    ["[".repeat(40), 1, 33, "nested deeper"],
  ])("tells of %j where it is broken", (text, line, column, message) => {
    expect(scanJson(text).defect).toEqual({ line, column, message: expect.stringContaining(message) });
  });

  it("takes just what JSON.parse takes", () => {
    const near = fc.tuple(
      fc.json({ maxDepth: 4 }),
      fc.nat(),
      fc.constantFrom("", ",", "}", '"', "0", "\\", " "),
    );
    fc.assert(
      fc.property(near, ([json, at, sign]) => {
        const text = json.slice(0, at % (json.length + 1)) + sign + json.slice((at % (json.length + 1)) + 1);
        expect(scanJson(text).defect === null).toBe(isJson(text));
      }),
    );
  });
});

it("gives a value as it is spelled", () => {
  const text = '{"id":"x","data" : {"n": 12345678901234567890.10, "a/b": [1e-7, {"c":null}]}}';
  expect(textAt(text, "/data/n")).toBe("12345678901234567890.10");
  expect(textAt(text, "/data/a~1b/1")).toBe('{"c":null}');
  expect(textAt(text, "/data/none")).toBeUndefined();
});
