import { describe, expect, it } from "vitest";
import * as z from "zod";
import { pageQuery } from "#contracts/page.ts";
import { AppError } from "../errors.ts";
import { parseBody, parseParams, parseQuery } from "./input.ts";

function refusal(work: () => unknown) {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { slug: error.slug, detail: error.message, issues: error.issues };
  }
}

const Body = z.strictObject({
  a: z.string().min(1),
  list: z.array(z.strictObject({ n: z.int() })).optional(),
});

describe("a body", () => {
  it("is refused with a pointer to each defect", () => {
    expect(
      refusal(() => parseBody(Body, { a: "", list: [{ n: 1 }, { n: 1.5, "x/y~z": 0 }], é: 1 })),
    ).toMatchObject({
      slug: "validation-error",
      issues: [
        { pointer: "#/a" },
        { pointer: "#/list/1/n" },
        { pointer: "#/list/1/x~1y~0z", detail: "This call takes no such member." },
        { pointer: "#/%C3%A9", detail: "This call takes no such member." },
      ],
    });
  });

  it.each([[[]], ["text"], [7], [null], [true]])("that is no object is refused as a whole: %j", (value) => {
    expect(refusal(() => parseBody(Body, value))).toMatchObject({
      slug: "validation-error",
      issues: [{ pointer: "#", detail: "must be an object" }],
    });
  });
});

describe("a query", () => {
  const Query = z.strictObject({ ...pageQuery, type: z.union([z.string(), z.array(z.string())]).optional() });
  const read = (query: string) => refusal(() => parseQuery(Query, query));

  it("is read with its defaults and bounds", () => {
    expect(read("")).toEqual({});
    expect(read("limit=7&type=a&type=b%20c")).toEqual({ limit: 7, type: ["a", "b c"] });
    expect(read("limit=5000")).toEqual({ limit: 100 });
  });

  it.each(["limit=0", "limit=-1", "limit=1.5", "limit=x", "limit=", "after=", "limit=1e2", "limit=%00"])(
    "refuses %s",
    (query) => {
      expect(read(query)).toMatchObject({ slug: "invalid-parameter" });
    },
  );

  it("says what is wrong with it", () => {
    expect(read("limit=1&limit=2")).toMatchObject({ detail: "limit may be given once." });
    expect(read("colour=red")).toMatchObject({ detail: 'There is no query parameter "colour".' });
    expect(read("limit=0")).toMatchObject({ detail: "limit: must be an integer of at least 1." });
    expect(read("__proto__=1")).toMatchObject({ detail: 'There is no query parameter "__proto__".' });
    expect(read("type=%ff")).toMatchObject({ slug: "invalid-parameter" });
  });

  it("takes no parameters where the operation has none", () => {
    expect(refusal(() => parseQuery(undefined, "x=1"))).toMatchObject({ slug: "invalid-parameter" });
    expect(parseQuery(undefined, "")).toBeUndefined();
  });
});

it("takes a path's parameter that cannot be for a resource that does not exist", () => {
  expect(refusal(() => parseParams(z.object({ id: z.uuid() }), { id: "x" }))).toMatchObject({
    slug: "not-found",
  });
});
