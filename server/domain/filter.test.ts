import { describe, expect, it } from "vitest";
import { cpuMsOf } from "#tests/cpu-time.ts";
import { matches, parseFilter } from "./filter.ts";

const holds = (filter: unknown, data: unknown) => {
  const parsed = parseFilter(filter);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.issues));
  return matches(parsed.filter, data);
};

const pointers = (filter: unknown) => {
  const parsed = parseFilter(filter);
  return parsed.ok ? [] : parsed.issues.map((issue) => issue.pointer);
};

const order = {
  status: "paid",
  total: 120,
  vip: true,
  note: null,
  customer: { id: "c-7", tags: ["a", "b"] },
  items: [
    { sku: "A-1", quantity: 2 },
    { sku: "B-2", quantity: 30 },
  ],
  matrix: [[1, 2], [3]],
  none: [],
};

describe("a condition", () => {
  it.each([
    [{ status: "paid" }, true],
    [{ status: "open" }, false],
    [{ status: { $eq: "paid" } }, true],
    [{ status: { $ne: "paid" } }, false],
    [{ status: { $in: ["open", "paid"] } }, true],
    [{ status: { $nin: ["open", "paid"] } }, false],
    [{ "customer.id": "c-7" }, true],
    [{ "customer.id": { $startsWith: "c-" } }, true],
    [{ "customer.id": { $endsWith: "-7" } }, true],
    [{ "customer.id": { $endsWith: "c-" } }, false],
    [{ total: { $gt: 120 } }, false],
    [{ total: { $gte: 120 } }, true],
    [{ total: { $lt: 120.5 } }, true],
    [{ total: { $lte: 119 } }, false],
    [{ status: { $gt: "open", $lt: "shipped" } }, true],
    [{ total: 120, vip: true }, true],
    [{ total: 120, vip: false }, false],
    [{}, true],
  ])("%j is %j of an order", (filter, expected) => {
    expect(holds(filter, order)).toBe(expected);
  });

  it.each([
    [{ total: "120" }],
    [{ total: { $gt: "1" } }],
    [{ status: { $lt: 5 } }],
    [{ vip: "true" }],
    [{ vip: 1 }],
    [{ note: { $lte: 0 } }],
    [{ total: { $startsWith: "1" } }],
    [{ customer: { $gt: 0 } }],
  ])("%j is false, since the types differ", (filter) => {
    expect(holds(filter, order)).toBe(false);
  });

  it.each([
    [{ missing: null }, false],
    [{ missing: { $ne: 1 } }, true],
    [{ missing: { $nin: [1, null] } }, true],
    [{ missing: { $in: [null] } }, false],
    [{ missing: { $gte: 0 } }, false],
    [{ missing: { $exists: false } }, true],
    [{ "status.deeper": { $exists: true } }, false],
    [{ note: null }, true],
    [{ note: { $exists: true } }, true],
    [{ $not: { missing: 1 } }, true],
  ])("%j is %j: what is absent equals nothing, and null is not absent", (filter, expected) => {
    expect(holds(filter, order)).toBe(expected);
  });

  it.each([
    [{ "customer.tags": "b" }, true],
    [{ "customer.tags": { $ne: "b" } }, false],
    [{ "customer.tags.0": "b" }, false],
    [{ "customer.tags.1": "b" }, true],
    [{ "customer.tags.2": { $exists: true } }, false],
    [{ "customer.tags.length": 2 }, false],
    [{ "items.sku": "B-2" }, true],
    [{ "items.1.sku": "B-2" }, true],
    [{ "items.0.sku": "B-2" }, false],
    [{ "items.sku": { $nin: ["C-3", "A-1"] } }, false],
    [{ "items.quantity": { $gt: 10, $lt: 5 } }, true],
    [{ none: { $exists: true } }, true],
    [{ none: { $ne: 1 } }, true],
    [{ matrix: 1 }, false],
    [{ "matrix.0": 1 }, true],
    [{ "matrix.0.1": 2 }, true],
  ])("%j is %j: of an array one element is enough", (filter, expected) => {
    expect(holds(filter, order)).toBe(expected);
  });

  it.each([
    [{ $and: [{ status: "paid" }, { total: 1 }] }, false],
    [{ $or: [{ status: "open" }, { total: 120 }] }, true],
    [{ $or: [{ status: "open" }, { total: 1 }], vip: true }, false],
    [{ $not: { status: "paid", total: 1 } }, true],
    [{ $not: { $or: [{ status: "open" }, { vip: true }] } }, false],
  ])("%j is %j", (filter, expected) => {
    expect(holds(filter, order)).toBe(expected);
  });

  it("sees nothing of what objects inherit", () => {
    for (const name of ["constructor", "toString", "__proto__", "hasOwnProperty"])
      expect(holds(JSON.parse(`{"${name}": {"$exists": true}}`), order)).toBe(false);
    expect(holds(JSON.parse('{"__proto__.a": 1}'), JSON.parse('{"__proto__": {"a": 1}}'))).toBe(true);
  });

  it("holds when it cannot be decided with little work", () => {
    const data = { list: Array.from({ length: 120_000 }, () => ({ a: 1 })) };
    const many = Object.fromEntries(Array.from({ length: 64 }, (_, at) => [`list.x${at}`, 1]));
    const ms = cpuMsOf(() => {
      expect(holds({ $or: [many] }, data)).toBe(true);
      expect(holds({ $not: { "list.b": { $exists: false } } }, data)).toBe(true);
    });
    expect(ms).toBeLessThan(200);
    expect(holds({ "list.b": 1 }, { list: data.list.slice(0, 10_000) })).toBe(false);
  });
});

describe("a filter with defects is refused, with a pointer to each", () => {
  const deep = (levels: number): unknown => (levels === 0 ? { a: 1 } : { $not: deep(levels - 1) });
  const conditions = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`a${at}`, 1]));

  it.each([
    [null, ["#/filter"]],
    [[], ["#/filter"]],
    ["x", ["#/filter"]],
    [{ $nor: [] }, ["#/filter/$nor"]],
    [{ $eq: 1 }, ["#/filter/$eq"]],
    [{ "": 1 }, ["#/filter/"]],
    [{ "a..b": 1, ".": 2 }, ["#/filter/a..b", "#/filter/."]],
    [{ "a/b~": { $x: 1 } }, ["#/filter/a~1b~0/$x"]],
    [{ a: {} }, ["#/filter/a"]],
    [{ a: { b: 1 } }, ["#/filter/a/b"]],
    [{ a: [1] }, ["#/filter/a"]],
    [{ a: { $eq: { b: 1 } } }, ["#/filter/a/$eq"]],
    [{ a: { $in: [] } }, ["#/filter/a/$in"]],
    [{ a: { $in: "abc" } }, ["#/filter/a/$in"]],
    [{ a: { $in: [1, [2]] } }, ["#/filter/a/$in/1"]],
    [{ a: { $gt: true, $lt: null } }, ["#/filter/a/$gt", "#/filter/a/$lt"]],
    [{ a: { $exists: 1 } }, ["#/filter/a/$exists"]],
    [{ a: { $startsWith: 1 } }, ["#/filter/a/$startsWith"]],
    [{ a: { $regex: "a" } }, ["#/filter/a/$regex"]],
    [{ $and: {} }, ["#/filter/$and"]],
    [{ $or: [] }, ["#/filter/$or"]],
    [{ $or: [{ a: 1 }, 5, {}] }, ["#/filter/$or/1", "#/filter/$or/2"]],
    [{ $not: [{ a: 1 }] }, ["#/filter/$not"]],
    [{ a: "\0" }, ["#/filter/a"]],
    [{ "\ud800": 1 }, ["#/filter/%EF%BF%BD"]],
    [JSON.parse('{"a": 1e400}'), ["#/filter/a"]],
    [deep(8), [`#/filter${"/$not".repeat(8)}`]],
    [conditions(65), ["#/filter"]],
    [{ a: { $in: Array(17_000).fill(1) } }, ["#/filter"]],
    [{ a: "x".repeat(17_000) }, ["#/filter"]],
  ])("defect number %#", (filter, expected) => {
    expect(pointers(filter)).toEqual(expected);
  });

  it("is taken at the very limits", () => {
    for (const filter of [deep(7), conditions(64), { a: { $in: Array(16_000).fill(1) } }])
      expect(pointers(filter)).toEqual([]);
  });
});
