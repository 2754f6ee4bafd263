import { expect, it } from "vitest";
import { BoundedCache } from "./bounded-cache.ts";

function logged(maxWeight: number) {
  const made: string[] = [];
  const cache = new BoundedCache<string>(maxWeight);
  const get = (key: string, weight = 1) =>
    cache.get(key, weight, () => {
      made.push(key);
      return `value of ${key}`;
    });
  return { made, get };
}

it("makes what it does not have, once", () => {
  const { made, get } = logged(10);
  expect([get("a"), get("a"), get("b")]).toEqual(["value of a", "value of a", "value of b"]);
  expect(made).toEqual(["a", "b"]);
});

it("drops what was not asked for the longest, as much as the new one weighs", () => {
  const { made, get } = logged(4);
  for (const key of ["a", "b", "c", "a"]) get(key);
  get("heavy", 3);
  made.length = 0;
  for (const key of ["a", "heavy"]) get(key, key === "a" ? 1 : 3);
  expect(made).toEqual([]);
  get("b");
  expect(made).toEqual(["b"]);
});

it("gives what is too heavy to be kept, and keeps the rest", () => {
  const { made, get } = logged(4);
  get("a");
  for (let time = 0; time < 2; time++) expect(get("huge", 5)).toBe("value of huge");
  get("a");
  expect(made).toEqual(["a", "huge", "huge"]);
});
