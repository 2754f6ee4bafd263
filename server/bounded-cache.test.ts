import { expect, it } from "vitest";
import { BoundedCache } from "./bounded-cache.ts";

it("keeps what was used last, as much as may be", () => {
  const cache = new BoundedCache<number>(4);
  for (const [at, key] of ["a", "b", "c"].entries()) cache.set(key, at, 1);
  cache.get("a");
  cache.set("heavy", 3, 3);
  expect(["a", "b", "c", "heavy"].map((key) => cache.get(key))).toEqual([0, undefined, undefined, 3]);
  cache.set("d", 4, 1);
  expect(["a", "heavy", "d"].map((key) => cache.get(key))).toEqual([undefined, 3, 4]);
});

it("replaces a value, and counts its weight once", () => {
  const cache = new BoundedCache<number>(2);
  for (const value of [1, 2, 3]) cache.set("a", value, 1);
  cache.set("b", 4, 1);
  expect([cache.get("a"), cache.get("b")]).toEqual([3, 4]);
});

it("does not keep what is too heavy, and keeps the rest", () => {
  const cache = new BoundedCache<number>(2);
  cache.set("a", 1, 2);
  cache.set("huge", 2, 3);
  expect([cache.get("a"), cache.get("huge")]).toEqual([1, undefined]);
});
