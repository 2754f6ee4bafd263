import { describe, expect, it } from "vitest";
import { cpuMsOf } from "#tests/cpu-time.ts";
import { checkSchema } from "./check-schema.ts";
import { FORMATS } from "./formats.ts";

function validated(schema: unknown, value: unknown) {
  const checked = checkSchema(schema, []);
  if (!checked.ok) throw new Error(JSON.stringify(checked.issues));
  let detail: string | undefined;
  const ms = cpuMsOf(() => {
    detail = checked.validate(value, ["data"], JSON.stringify(value).length)[0]?.detail;
  });
  return { detail, ms };
}

const TOO_MUCH = "takes too much work to be checked against the schema of its type";
const numbers = Array.from({ length: 60_000 }, (_, at) => at);

describe("the work of a validation", () => {
  it("grows with the data, not with its square: sixty thousand items are told apart", () => {
    expect(validated({ uniqueItems: true }, numbers)).toEqual({ detail: undefined, ms: expect.any(Number) });
    expect(validated({ uniqueItems: true }, numbers).ms).toBeLessThan(1_000);
    const objects = numbers.slice(0, 20_000).map((n) => ({ n, of: [{ n }] }));
    expect(validated({ uniqueItems: true }, objects)).toMatchObject({ detail: undefined });
    expect(validated({ uniqueItems: true }, [...numbers, 7]).detail).toBe("must NOT have duplicate items");
  });

  it("is enough for large data and the schemas that people write", () => {
    const line = {
      type: "object",
      properties: { sku: { type: "string", pattern: "^[A-Z]+-\\d+$" }, n: { type: "integer", minimum: 1 } },
      required: ["sku", "n"],
      additionalProperties: false,
    };
    const lines = Array.from({ length: 8_000 }, (_, at) => ({ sku: `ABC-${at}`, n: at + 1 }));
    expect(validated({ items: line }, lines).detail).toBeUndefined();
    expect(validated({ items: { type: "integer" } }, Array(100_000).fill(1)).detail).toBeUndefined();
  });

  it.each([
    [
      "branches that double at each level of the data",
      {
        $defs: {
          a: {
            anyOf: [1, 2].map((n) => ({
              properties: { x: { $ref: "#/$defs/a" } },
              dependentRequired: { x: [`y${n}`] },
            })),
          },
        },
        $ref: "#/$defs/a",
      },
      nested(30),
    ],
    [
      "branches that double at each reference",
      {
        $defs: Object.fromEntries(
          Array.from({ length: 15 }, (_, at) => [
            `a${at}`,
            at < 14 ? { anyOf: Array(2).fill({ $ref: `#/$defs/a${at + 1}` }) } : { maxLength: 1 },
          ]),
        ),
        $ref: "#/$defs/a0",
      },
      "x".repeat(200_000),
    ],
    [
      "many alternatives for many items",
      { items: { anyOf: [...Array(300).fill({ const: "x" }), true] } },
      Array(100_000).fill(1),
    ],
    ["a pattern on a very long text", { pattern: "^a+$" }, "a".repeat(10_001)],
    [
      "a pattern whose states explode",
      { items: { not: { pattern: "[ab]*a[ab]{13}[cd]" } } },
      Array.from({ length: 500 }, (_, seed) => scrambled(seed)),
    ],
  ])("is bounded: %s", (_what, schema, value) => {
    const { detail, ms } = validated(schema, value);
    expect(detail).toBe(TOO_MUCH);
    expect(ms).toBeLessThan(2_000);
  });

  it.each(Object.entries(FORMATS))("is in proportion to the text for the format %s", (_name, check) => {
    const ms = cpuMsOf(() => {
      for (const part of ["a", "1", "a.", "/", ":", "a@a.", "~0", "T ", "#a", "P1", "%41", "-"])
        check(`${part.repeat(250_000 / part.length)}!`);
    });
    expect(ms).toBeLessThan(2_000);
  });
});

function nested(levels: number): object {
  return levels === 0 ? {} : { x: nested(levels - 1) };
}

/** Ten thousand letters a and b without any order that a matcher could keep to. */
function scrambled(seed: number): string {
  let state = seed + 1;
  return Array.from({ length: 9_990 }, () => {
    state = (state * 48_271) % 2_147_483_647;
    return state & 1024 ? "a" : "b";
  }).join("");
}
