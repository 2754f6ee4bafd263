import { expect, it } from "vitest";
import { FAULTS, planFaults } from "./plan.ts";

it("plans the same faults for the same seed, and others for another", () => {
  expect(planFaults(1, 60)).toEqual(planFaults(1, 60));
  expect(planFaults(1, 60)).not.toEqual(planFaults(2, 60));
});

it("has every kind of fault in a minute, in the order of their times, and none before or after the load", () => {
  for (let seed = 1; seed <= 50; seed++) {
    const plan = planFaults(seed, 60);
    expect(new Set(plan.map(({ kind }) => kind))).toEqual(new Set(FAULTS));
    const times = plan.map(({ atMs }) => atMs);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect(times[0]).toBeGreaterThan(0);
    expect(times.at(-1)).toBeLessThan(60_000);
  }
});
