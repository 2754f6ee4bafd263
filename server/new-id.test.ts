import { expect, it } from "vitest";
import { uuidTimeMs } from "#contracts/ids.ts";
import { newId } from "./new-id.ts";

it("makes UUIDv7 of now, each once and each after the one before", () => {
  const before = Date.now();
  const ids = Array.from({ length: 10_000 }, newId);
  expect(ids.every((id) => /^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/.test(id))).toBe(
    true,
  );
  expect(ids.toSorted()).toEqual(ids);
  expect(new Set(ids).size).toBe(ids.length);
  const times = ids.map(uuidTimeMs);
  expect(Math.min(...times)).toBeGreaterThanOrEqual(before);
  // A generator that has used up the counter of a millisecond goes on with the next.
  expect(Math.max(...times)).toBeLessThanOrEqual(Date.now() + 1);
});

it("has random bits of its own in each", () => {
  const tails = Array.from({ length: 3_000 }, () => newId().slice(-8));
  expect(new Set(tails).size).toBeGreaterThan(2_990);
});
