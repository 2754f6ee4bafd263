import { describe, expect, it } from "vitest";
import { problemOf } from "#sdk/api-problem.ts";
import {
  bodyOf,
  draftOf,
  EMPTY_DRAFT,
  nameDefect,
  refusedDefects,
  syntaxDefects,
} from "./event-type-draft.ts";

const refused = (errors: { detail: string; pointer: string }[]) =>
  problemOf(
    { status: 422, headers: new Headers({ "content-type": "application/problem+json" }) },
    { type: "/problems/validation-error", title: "Validation error", status: 422, errors },
    0,
  );

it("keeps the digits of a type on the way into a draft and out of it", () => {
  const text =
    '{"name":"a.b","description":null,"schema":{"maximum":12345678901234567890.10},"example":null,"deprecated":true}';
  const draft = draftOf(text);
  expect(draft).toEqual({
    name: "a.b",
    description: "",
    schema: '{\n  "maximum": 12345678901234567890.10\n}',
    example: "",
    deprecated: true,
  });
  expect(bodyOf(draft)).toBe(
    `{"description":null,"schema":${draft.schema},"example":null,"deprecated":true}`,
  );
});

describe("what is wrong with a draft", () => {
  it("tells at once which text is no JSON, and where", () => {
    const draft = { ...EMPTY_DRAFT, schema: '{\n  "type" "object"\n}', example: "  " };
    expect(syntaxDefects(draft)).toEqual({
      schema: [
        { message: "This is no JSON: a colon is missing after the name.", place: { line: 2, column: 10 } },
      ],
    });
    expect(syntaxDefects(EMPTY_DRAFT)).toEqual({});
  });

  it("puts what the server says to the line that it means", () => {
    const draft = {
      ...EMPTY_DRAFT,
      schema: '{\n  "properties": {\n    "a/b": {\n      "type": "no"\n    }\n  }\n}',
    };
    const error = refused([
      { detail: "must be a type", pointer: "#/schema/properties/a~1b/type" },
      { detail: "is missing", pointer: "#/schema/properties/a~1b/items/0" },
    ]);
    expect(refusedDefects(error, draft)).toEqual({
      schema: [
        { message: "/properties/a~1b/type must be a type.", place: { line: 4, column: 15 } },
        { message: "/properties/a~1b/items/0 is missing.", place: { line: 3, column: 12 } },
      ],
    });
  });

  it("leaves an answer that is of no field to be shown whole", () => {
    expect(refusedDefects(refused([{ detail: "is strange", pointer: "#/other" }]), EMPTY_DRAFT)).toBeNull();
    expect(refusedDefects(new Error("away"), EMPTY_DRAFT)).toBeNull();
  });

  it("knows names that the server takes", () => {
    expect(["invoice.paid", "", "1a", "a b"].map((name) => nameDefect(name) === null)).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });
});
