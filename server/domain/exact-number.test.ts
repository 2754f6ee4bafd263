import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cpuMsOf } from "#tests/cpu-time.ts";
import { exactJson, exactNumber, parseDecimal, trimDecimal } from "./exact-number.ts";

describe("exactNumber", () => {
  it("is a plain number while a double holds it", () => {
    expect([exactNumber("7"), exactNumber("49.9"), exactNumber("-0.05")]).toEqual([7, 49.9, -0.05]);
  });

  it("keeps every digit of what a double would round", () => {
    const all = ["9007199254740993", "9223372036854775807", "999999999999.9899"];
    expect(JSON.stringify(all.map(exactNumber))).toBe(`[${all.join(",")}]`);
  });
});

describe("exactJson", () => {
  it("spells every number as it was, and is JSON.parse otherwise", () => {
    const text = '{"a":[9007199254740993,1.10,-0,1E5,1e-400,1e400],"b":{"c":"1e5","d":null,"e":true}}';
    expect(JSON.stringify(exactJson(text))).toBe(text);
    fc.assert(
      fc.property(fc.json(), (json) => {
        expect(JSON.stringify(exactJson(json))).toBe(JSON.stringify(JSON.parse(json)));
      }),
    );
    expect(() => exactJson("{")).toThrow(SyntaxError);
  });
});

describe("parseDecimal", () => {
  it.each([
    ["49.90", "49.9", 1],
    ["4.990e1", "49.9", 1],
    ["0", "0", 0],
    ["-0.0", "0", 0],
    ["1e3", "1000", 0],
    ["12E-3", "0.012", 3],
    ["49.900000000000000001", "49.900000000000000001", 18],
    ["0.0000000001", "0.0000000001", 10],
    ["100", "100", 0],
  ])("reads %s as %s with %i decimals", (spelling, text, decimals) => {
    expect(parseDecimal(spelling)).toEqual({ text, decimals });
  });

  it.each(["", "abc", "1e999999999", ".5", "1.", "0x10", " 1"])("refuses %j", (spelling) => {
    expect(parseDecimal(spelling)).toBeUndefined();
  });

  it("does not work long on a spelling that is made to be slow", () => {
    const spelling = `0.${"0".repeat(200_000)}1`;
    expect(cpuMsOf(() => expect(parseDecimal(spelling)).toBeUndefined())).toBeLessThan(100);
  });

  it("means the number that JSON.parse means", () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e300, max: 1e300 }), (value) => {
        const read = parseDecimal(JSON.stringify(value));
        expect(Number(read?.text)).toBe(value === 0 ? 0 : value);
      }),
    );
  });
});

it("trims what PostgreSQL pads", () => {
  expect(["49.9000", "100.0000", "0.0000", "10", "0.1234"].map(trimDecimal)).toEqual([
    "49.9",
    "100",
    "0",
    "10",
    "0.1234",
  ]);
});
