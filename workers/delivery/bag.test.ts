import fc from "fast-check";
import { expect, it } from "vitest";
import { Bag, type InBag } from "./bag.ts";

it("has in it what a Set has, whatever is put in and taken out", () => {
  const step = fc.tuple(fc.boolean(), fc.nat({ max: 9 }));
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const things: (InBag & { name: number })[] = Array.from({ length: 10 }, (_, name) => ({
        name,
        at: -1,
      }));
      const bag = new Bag<InBag & { name: number }>();
      const set = new Set<InBag & { name: number }>();
      for (const [isComing, name] of steps) {
        const thing = things[name];
        if (!thing) continue;
        if (!isComing) expect(bag.delete(thing)).toBe(set.delete(thing));
        else if (!set.has(thing)) {
          bag.add(thing);
          set.add(thing);
        }
      }
      expect(bag.size).toBe(set.size);
      expect(bag.all().toSorted((a, b) => a.name - b.name)).toEqual(
        [...set].toSorted((a, b) => a.name - b.name),
      );
    }),
  );
});
