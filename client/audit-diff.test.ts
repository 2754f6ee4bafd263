import { describe, expect, it } from "vitest";
import { auditDiff } from "./audit-diff.ts";

describe("auditDiff", () => {
  it("tells what was changed, added and removed, and what stayed", () => {
    expect(
      auditDiff({ role: "viewer", name: "Kim", old: 1 }, { role: "support", name: "Kim", new: [1] }),
    ).toEqual([
      { path: "role", kind: "changed", before: '"viewer"', after: '"support"' },
      { path: "name", kind: "same", before: '"Kim"', after: '"Kim"' },
      { path: "new", kind: "added", before: null, after: "[1]" },
      { path: "old", kind: "removed", before: "1", after: null },
    ]);
  });

  it("goes into members of members", () => {
    expect(auditDiff({ a: { b: 1, c: 2 } }, { a: { b: 1, c: null } })).toEqual([
      { path: "a.b", kind: "same", before: "1", after: "1" },
      { path: "a.c", kind: "changed", before: "2", after: "null" },
    ]);
  });

  it("has nothing to say of nothing, and takes values without members", () => {
    expect(auditDiff(null, null)).toEqual([]);
    expect(auditDiff("x", "y")).toEqual([{ path: "", kind: "changed", before: '"x"', after: '"y"' }]);
    expect(auditDiff(null, { a: 1 })).toEqual([{ path: "a", kind: "added", before: null, after: "1" }]);
  });

  it("takes members that are called like those of every object", () => {
    expect(auditDiff({}, { constructor: 1 })).toEqual([
      { path: "constructor", kind: "added", before: null, after: "1" },
    ]);
  });

  it("ends somewhere, however deep a value is", () => {
    const deep = (levels: number): unknown => (levels === 0 ? 1 : { a: deep(levels - 1) });
    expect(auditDiff(deep(20), deep(21))).toHaveLength(1);
  });
});
