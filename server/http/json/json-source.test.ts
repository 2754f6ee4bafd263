import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { JsonSource } from "./json-source.ts";
import { parseJson } from "./parse-json.ts";

/** What a part is, found with the help of what a first pass has noted and without it; there is one name that it refuses. */
function both<T>(text: string, part: (source: JsonSource) => T): T {
  const bytes = Buffer.from(text);
  const found = part(new JsonSource(bytes));
  if (!text.includes("__proto__")) expect(part(parseJson(bytes).source)).toEqual(found);
  return found;
}
const rawMember = (text: string, name: string) => both(text, (source) => source.member(name));
const rawItems = (text: string, array: string, name: string) =>
  both(text, (source) => source.items(array, name));
/** The text of an item, by its place among the bytes. */
const cut = (text: string, { start, end }: { start: number; end: number }) =>
  Buffer.from(text).toString("utf8", start, end);

/** Containers that are long enough to be noted. */
const long = fc
  .array(fc.oneof(fc.string({ unit: "binary" }), fc.constant('[]{}\\"'.repeat(9))), {
    minLength: 3,
    maxLength: 9,
  })
  .map((texts) => ({ a: texts, b: [texts.map((text) => ({ text }))] }));
const spaces = fc.stringMatching(/^[ \t\r\n]{0,3}$/);

describe("a member", () => {
  it("keeps key order, number spelling, escapes and spacing to the byte", () => {
    const data = '{ "b":1.0,\n "a": 1e2, "é": "\\u00e9\\/", "n": 12345678901234567890 }';
    expect(rawMember(`{"type":"a","data" : ${data} ,"id":null}`, "data")).toBe(data);
  });

  it("takes the last of two members of one name, as JSON.parse does", () => {
    expect(rawMember('{"data":{"a":1},"data":{"a":2}}', "data")).toBe('{"a":2}');
  });

  it("finds a member whose name is written with escapes", () => {
    expect(rawMember('{"d\\u0061ta":[1]}', "data")).toBe("[1]");
  });

  it("does not find names within values", () => {
    expect(rawMember('{"a":{"data":1},"b":"\\"data\\":2"}', "data")).toBeUndefined();
    expect(rawMember("{}", "data")).toBeUndefined();
    expect(rawMember(" { } ", "data")).toBeUndefined();
  });

  it("gives what JSON.parse gives, for any members with any spacing", () => {
    const value = fc.oneof(fc.jsonValue({ maxDepth: 3 }), long);
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.string(), value, spaces), { minLength: 1 }), (members) => {
        const parts = members.map(
          ([name, value, gap]) => `${gap}${JSON.stringify(name)}${gap}:${gap}${JSON.stringify(value)}${gap}`,
        );
        const text = `{${parts.join(",")}}`;
        for (const [name] of members) {
          const last = members.findLast(([other]) => other === name);
          expect(rawMember(text, name)).toBe(JSON.stringify(last?.[1]));
        }
      }),
    );
  });
});

describe("the items of an array", () => {
  const members = (text: string) => rawItems(text, "list", "data").map(({ member }) => member);

  it("gives the texts of a member of each item, and where the items lie", () => {
    const text =
      '{"a":[1], "list" : [ {"data": [1,2]} , {"x":{"data":3},"data":1.50 },{}, "x,]", [{"data":1}], null ] }';
    expect(members(text)).toEqual(["[1,2]", "1.50", undefined, undefined, undefined, undefined]);
    expect(rawItems(text, "list", "data").map((item) => cut(text, item))).toEqual([
      '{"data": [1,2]}',
      '{"x":{"data":3},"data":1.50 }',
      "{}",
      '"x,]"',
      '[{"data":1}]',
      "null",
    ]);
  });

  it.each(['{"list":[ ]}', "{}", '{"list":{}}', '{"list":null}', '{"list":[1],"list":[]}'])(
    "has nothing of %s",
    (text) => {
      expect(members(text)).toEqual([]);
    },
  );

  it("gives what JSON.parse gives, for any items with any spacing", () => {
    const item = fc.oneof(
      fc.jsonValue({ maxDepth: 3 }),
      fc.record({ data: fc.jsonValue({ maxDepth: 2 }), other: fc.jsonValue({ maxDepth: 1 }) }),
      fc.record({ other: long, data: long }),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(item, spaces)), spaces, (items, outer) => {
        const texts = items.map(([value, gap]) => gap + JSON.stringify(value, null, gap.length) + gap);
        const text = `${outer}{${outer}"list"${outer}:${outer}[${texts.join(",")}]${outer}}`;
        const found = rawItems(text, "list", "data");
        expect(found.map((item) => cut(text, item))).toEqual(texts.map((each) => each.trim()));
        for (const [index, { member }] of found.entries()) {
          const value = items[index]?.[0];
          const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
          const own =
            isObject && Object.hasOwn(value, "data") ? (value as { data?: unknown }).data : undefined;
          expect(member?.replaceAll(/\s/g, "")).toEqual(
            own === undefined ? own : JSON.stringify(own).replaceAll(/\s/g, ""),
          );
        }
      }),
    );
  });
});
