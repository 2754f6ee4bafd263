import { describe, expect, it } from "vitest";
import { uuidFloor } from "#contracts/ids.ts";
import { DAY_MS } from "../partitions.ts";
import { reachOf } from "./id-range.ts";

const TODAY = Date.UTC(2026, 10, 22);
const NOW = TODAY + 5 * 3_600_000;
const id = (at: number) => `${uuidFloor(at).slice(0, 13)}-7000-8000-000000000001`;
const reach = (...at: number[]) => reachOf("deliveries", at.map(id), NOW);

describe("the reach of ids", () => {
  it("is the partition of a day, today or yesterday, when all of them are of it", () => {
    const of = (name: string, day: number) => ({ table: name, condition: "true", day });
    expect(reach(TODAY, NOW, TODAY + DAY_MS - 1)).toEqual(of("deliveries_20261122", TODAY));
    expect(reach(TODAY - 1, TODAY - DAY_MS)).toEqual(of("deliveries_20261121", TODAY - DAY_MS));
    expect(reachOf("events", [id(NOW)], NOW)).toEqual(of("events_20261122", TODAY));
  });

  it("is the range from the least to the greatest where they are of several days, or of another", () => {
    for (const at of [[NOW, TODAY - 1], [TODAY - DAY_MS - 1], [TODAY + DAY_MS]]) {
      const [least, greatest] = [id(Math.min(...at)), id(Math.max(...at))];
      const condition = `d.id between '${least}' and '${greatest}'`;
      expect(reach(...at)).toEqual({ table: "deliveries", condition, day: null });
    }
  });

  it("is not told of what is no id", () => {
    for (const ids of [[], ["1"], [id(NOW), "' or true --"], [id(NOW).toUpperCase()]])
      expect(() => reachOf("deliveries", ids, NOW)).toThrow(TypeError);
  });
});
