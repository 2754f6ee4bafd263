import { describe, expect, it } from "vitest";
import { hasNullMember, mergePatchOf } from "./merge-patch.ts";

describe("the merge patch between two objects", () => {
  it("names only what has changed", () => {
    const from = { url: "a", tags: ["x"], filter: { total: { $gte: 1 } } };

    expect(mergePatchOf(from, { ...from, url: "b" })).toEqual({ url: "b" });
    expect(mergePatchOf(from, structuredClone(from))).toEqual({});
  });

  it("takes members away with null, inside of members too", () => {
    const patch = mergePatchOf(
      { gone: 1, filter: { status: "paid", total: { $gte: 1, $lt: 9 } } },
      { filter: { total: { $gte: 2 }, sku: "A" } },
    );

    expect(patch).toEqual({ gone: null, filter: { status: null, total: { $gte: 2, $lt: null }, sku: "A" } });
  });

  it("replaces lists, and what was no object, as a whole", () => {
    expect(mergePatchOf({ list: [1, 2], filter: null }, { list: [1], filter: { a: 1 } })).toEqual({
      list: [1],
      filter: { a: 1 },
    });
  });
});

it("tells members that are null, which no merge patch can set", () => {
  expect(hasNullMember({ a: { $eq: null } })).toBe(true);
  expect(hasNullMember({ a: { $in: [null] } })).toBe(false);
});
