import fc from "fast-check";
import { expect, it } from "vitest";
import { DueTimes } from "./due-times.ts";

it("always knows the soonest moment that has not passed, a few milliseconds late at most and never early", () => {
  const step = fc.oneof(fc.record({ add: fc.nat(10_000) }), fc.record({ passMs: fc.nat(500) }));
  fc.assert(
    fc.property(fc.array(step, { maxLength: 300 }), (steps) => {
      const times = new DueTimes();
      let moments: number[] = [];
      let now = 0;
      for (const each of steps) {
        if ("add" in each) {
          times.add(now + each.add);
          moments.push(now + each.add);
        } else {
          now += each.passMs;
          times.pass(now);
          moments = moments.filter((moment) => Math.ceil(moment / 10) * 10 > now);
        }
        const soonest = Math.min(...moments);
        if (moments.length === 0) expect(times.soonest).toBe(Number.POSITIVE_INFINITY);
        else expect(times.soonest - soonest).toSatisfy((lateMs: number) => lateMs >= 0 && lateMs < 10);
      }
    }),
  );
});

it("holds a bounded number of moments", () => {
  const times = new DueTimes();
  for (let i = 0; i < 100_000; i++) times.add(1_000_000 + i * 10);
  times.add(10);
  expect(times.soonest).toBe(1_000_000);
});
