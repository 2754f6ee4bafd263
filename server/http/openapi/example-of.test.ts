import { describe, expect, it } from "vitest";
import { type ExampleSchema, exampleOf } from "./example-of.ts";

const of = (schema: ExampleSchema, components = {}) => exampleOf(schema, components, "Thing");

describe("exampleOf", () => {
  it("takes a schema's own example before all else, then its default", () => {
    expect(of({ type: "string", examples: ["a"], default: "b" })).toBe("a");
    expect(of({ type: "string", default: "b" })).toBe("b");
  });

  it("shows the required members of an object, and the optional ones that have an example", () => {
    const properties = {
      needed: { const: 1 },
      shown: { type: "string", examples: ["x"] },
      left: { type: "string" },
    };
    expect(of({ type: "object", properties, required: ["needed"] })).toEqual({ needed: 1, shown: "x" });
  });

  it("takes null where that is allowed and there is no other example", () => {
    expect(of({ type: ["string", "null"] })).toBeNull();
    expect(of({ anyOf: [{ type: "string", examples: ["a"] }, { type: "null" }] })).toBeNull();
    expect(of({ type: ["string", "null"], examples: ["a"] })).toBe("a");
  });

  it("follows references, into lists too", () => {
    const Colour = { enum: ["red", "blue"] };
    const items = { anyOf: [{ $ref: "#/components/schemas/Colour" }, { type: "string" }] };
    expect(of({ type: "array", items }, { Colour })).toEqual(["red"]);
  });

  it("names the value that nobody has given an example", () => {
    const properties = { list: { type: "array", items: { type: "string" } } };
    expect(() => of({ type: "object", properties, required: ["list"] })).toThrow(
      "Thing.list[] needs .meta({ example }).",
    );
  });
});
