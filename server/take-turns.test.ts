import { expect, it } from "vitest";
import { takeTurns } from "./take-turns.ts";

it("lets others go on every ten milliseconds, and not more often", async () => {
  let nowMs = 0;
  let turnsOfOthers = 0;
  const turn = takeTurns(() => nowMs);
  const goOn = () => setImmediate(() => turnsOfOthers++);
  for (const [at, expected] of [
    [9, 0],
    [10, 1],
    [19, 1],
    [25, 2],
  ] as const) {
    nowMs = at;
    const other = goOn();
    await turn();
    clearImmediate(other);
    expect(turnsOfOthers).toBe(expected);
  }
});
