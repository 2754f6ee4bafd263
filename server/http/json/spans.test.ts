import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { rawItems, rawMember } from "./spans.ts";

const spaces = fc.stringMatching(/^[ \t\r\n]{0,3}$/);

describe("rawMember", () => {
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
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.string(), fc.jsonValue({ maxDepth: 3 }), spaces), { minLength: 1 }),
        (members) => {
          const parts = members.map(
            ([name, value, gap]) =>
              `${gap}${JSON.stringify(name)}${gap}:${gap}${JSON.stringify(value)}${gap}`,
          );
          const text = `{${parts.join(",")}}`;
          for (const [name] of members) {
            const last = members.findLast(([other]) => other === name);
            expect(rawMember(text, name)).toBe(JSON.stringify(last?.[1]));
          }
        },
      ),
    );
  });
});

describe("rawItems", () => {
  it("splits an array into the texts of its items", () => {
    expect(rawItems('[ {"a": [1,2]} , "x,]", 1.50,null ]')).toEqual([
      '{"a": [1,2]}',
      '"x,]"',
      "1.50",
      "null",
    ]);
    expect(rawItems("[ ]")).toEqual([]);
  });

  it("gives what JSON.parse gives, for any items with any spacing", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.jsonValue({ maxDepth: 3 }), spaces)), (items) => {
        const text = `[${items.map(([value, gap]) => gap + JSON.stringify(value) + gap).join(",")}]`;
        expect(rawItems(text)).toEqual(items.map(([value]) => JSON.stringify(value)));
      }),
    );
  });
});
