import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cpuMsOf } from "#tests/cpu-time.ts";
import { MAX_DEPTH } from "./check-json.ts";
import { type JsonDocument, parseJson } from "./parse-json.ts";

const read = (text: string) => parseJson(Buffer.from(text));
const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);

describe("parseJson", () => {
  it("gives the value and the text it was read from", () => {
    const { value, source } = read('{"a": 1.0}');
    expect([value, source.text]).toEqual([{ a: 1 }, '{"a": 1.0}']);
  });

  it(`takes ${MAX_DEPTH} levels and not one more`, () => {
    expect(read(nested(MAX_DEPTH)).source.text).toBe(nested(MAX_DEPTH));
    expect(() => read(nested(MAX_DEPTH + 1))).toThrow("deeper than 32 levels");
  });

  it("refuses a million levels before it builds anything of them", () => {
    expect(() => read("[".repeat(1_000_000))).toThrow("deeper than 32 levels");
  });

  it("does not count brackets within strings", () => {
    const text = JSON.stringify({ a: "[".repeat(100), b: '\\"{'.repeat(50) });
    expect(read(text).source.text).toBe(text);
  });

  it.each([
    '{"__proto__": 1}',
    '{"a": [{"__proto__" : {"polluted": true}}]}',
    '{"\\u005f_proto__": 1}',
    '{"__\\u0070roto__": 1}',
    `{"${[..."__proto__"].map((c) => `\\u00${c.charCodeAt(0).toString(16).toUpperCase()}`).join("")}": 1}`,
  ])("refuses %s", (text) => {
    expect(() => read(text)).toThrow("must not be named __proto__");
  });

  it.each([
    '{"a": "__proto__"}',
    '{"__proto_": 1}',
    '{"x__proto__": 1}',
    '["__proto__"]',
    '{"a":"\\"__proto__\\":"}',
  ])("takes %s", (text) => {
    expect(read(text).value).toEqual(JSON.parse(text));
  });

  it.each([
    ["a byte order mark", Buffer.from("\ufeff{}"), "byte order mark"],
    ["a byte that is no UTF-8", Buffer.from([0x22, 0xff, 0x22]), "UTF-8"],
    ["an overlong sequence", Buffer.from([0x22, 0xc0, 0xaf, 0x22]), "UTF-8"],
    ["a surrogate in UTF-8", Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]), "UTF-8"],
    ["nothing", Buffer.alloc(0), "empty"],
    ["white space", Buffer.from(" \n"), "empty"],
    ["two documents", Buffer.from("{}{}"), "not valid JSON"],
    ["an open string", Buffer.from('{"__proto__'), "not valid JSON"],
    ["a bad escape in a name", Buffer.from('{"\\u00zz______": 1}'), "not valid JSON"],
    ["UTF-16", Buffer.from("{}", "utf16le"), "not valid JSON"],
  ])("refuses %s", (_name, bytes, words) => {
    expect(() => parseJson(bytes)).toThrow(words);
  });

  it("stays fast on what is made to be slow", () => {
    const ms = cpuMsOf(() => {
      for (const text of ['"\\u005f'.repeat(30_000), "\\".repeat(200_000), `"${"\\".repeat(200_001)}`])
        expect(() => read(text)).toThrow("not valid JSON");
    });
    expect(ms).toBeLessThan(1_000);
  });

  it("takes what JSON.parse takes and nothing else, however a document is spoiled", () => {
    fc.assert(
      fc.property(spoiledOrNot, (text) => {
        expect(outcomeOf(() => read(text).value)).toEqual(outcomeOf(() => JSON.parse(text)));
      }),
      { numRuns: 2_000 },
    );
  });

  it("takes no more within what nobody reads, of which the value has an empty object", () => {
    fc.assert(
      fc.property(spoiledOrNot, spoiledOrNot, (one, other) => {
        const [data, rest] = [`{"a":${one}}`, `"é" : ${other}`];
        const expected = outcomeOf(() => ({ ...JSON.parse(`{${rest},"data":${data}}`), data: {} }));
        const single = `{"data" : ${data} , ${rest}}`;
        const document = outcomeOf(() => parseJson(Buffer.from(single), ["data"]));
        expect((document as { value?: unknown }).value ?? document).toEqual(expected);
        if (document instanceof Object) expect((document as JsonDocument).source.member("data")).toBe(data);
        const batch = `{"events": [ ${single},null , ${single}]}`;
        const several = outcomeOf(() => parseJson(Buffer.from(batch), ["events", "*", "data"]).value);
        expect(several).toEqual(expected === REFUSED ? REFUSED : { events: [expected, null, expected] });
      }),
      { numRuns: 2_000 },
    );
  });

  it("reads what is no object, lies elsewhere or has a name with escapes, where nobody reads an object", () => {
    for (const text of [
      '{"data":[{"a":1}]}',
      '{"data":"{}"}',
      '{"a":{"data":{"b":1}}}',
      '{"d\\u0061ta":{"a":1}}',
    ])
      expect(parseJson(Buffer.from(text), ["data"]).value).toEqual(JSON.parse(text));
  });

  it("counts levels exactly, whatever the containers are and whatever strings hold", () => {
    const levels = fc.array(fc.constantFrom("object", "array"), { minLength: 1, maxLength: 2 * MAX_DEPTH });
    fc.assert(
      fc.property(levels, fc.stringMatching(/^[[\]{}"\\,:a ]{0,8}$/), (kinds, text) => {
        const value = kinds.reduce<unknown>(
          (inner, kind) => (kind === "object" ? { [text]: text, a: inner } : [text, [], {}, inner]),
          null,
        );
        // The empty containers beside the innermost value of an array are one level below it.
        const depth = kinds.length + (kinds[0] === "array" ? 1 : 0);
        const isTaken = outcomeOf(() => read(JSON.stringify(value)).value) !== REFUSED;
        expect(isTaken).toBe(depth <= MAX_DEPTH);
      }),
      { numRuns: 500 },
    );
  });
});

const parts = fc.constantFrom(
  "{",
  "}",
  "[",
  "]",
  ",",
  ":",
  '"',
  "\\",
  '"a"',
  "1",
  "-",
  ".",
  "e",
  "null",
  " ",
  "\u0001",
  "é",
);
const noise = fc.array(parts, { maxLength: 12 }).map((list) => list.join(""));
const spoiled = fc
  .tuple(fc.json({ maxDepth: 3 }), fc.nat(), fc.string({ maxLength: 2 }), fc.nat(3))
  .map(([text, at, put, cut]) => {
    const from = at % (text.length + 1);
    return text.slice(0, from) + put + text.slice(from + cut);
  });
const spoiledOrNot = fc
  .oneof(noise, fc.json(), spoiled)
  .filter((text) => text.isWellFormed() && !text.includes("__proto__") && !text.startsWith("\ufeff"));

const REFUSED = Symbol("refused");

function outcomeOf(work: () => unknown): unknown {
  try {
    return work();
  } catch {
    return REFUSED;
  }
}
