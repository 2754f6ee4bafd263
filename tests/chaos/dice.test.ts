import { expect, it } from "vitest";
import { chanceOf, Dice } from "./dice.ts";

it("throws the same for the same seed, and something else for another", () => {
  const throws = (seed: number) => {
    const dice = new Dice(seed);
    return Array.from({ length: 20 }, () => dice.between(0, 1_000));
  };
  expect(throws(7)).toEqual(throws(7));
  expect(throws(7)).not.toEqual(throws(8));
});

it("throws every number between both ends, and shuffles without losing any", () => {
  const dice = new Dice(1);
  const thrown = new Set(Array.from({ length: 500 }, () => dice.between(3, 6)));
  expect([...thrown].toSorted()).toEqual([3, 4, 5, 6]);
  const cards = Array.from({ length: 52 }, (_, card) => card);
  const shuffled = dice.shuffled(cards);
  expect(shuffled).not.toEqual(cards);
  expect(shuffled.toSorted((a, b) => a - b)).toEqual(cards);
});

it("gives texts chances that are spread evenly and stay the same", () => {
  const chances = Array.from({ length: 10_000 }, (_, at) => chanceOf(`delivery ${at} 1`));
  const small = chances.filter((chance) => chance < 0.25).length;
  expect(small).toBeGreaterThan(2_200);
  expect(small).toBeLessThan(2_800);
  expect(chanceOf("delivery 1 1")).toBe(chances[1]);
});
