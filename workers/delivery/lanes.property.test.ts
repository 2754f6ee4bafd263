import fc from "fast-check";
import { expect, it } from "vitest";
import { type Flight, Lanes } from "./lanes.ts";

interface Item {
  id: number;
  kind: "fresh" | "retry" | "slow";
}

const SLOW_AFTER_MS = 1_000;
const STALLED_AFTER_MS = 300;
const CROWDED_AFTER_MS = 2_000;

const newLanes = (maxQuick = 4, maxSlow = 3) =>
  new Lanes<Item>({
    kindOf: (item) => item.kind,
    slowKind: "slow",
    maxQuick,
    maxSlow,
    slowAfterMs: SLOW_AFTER_MS,
    stalledAfterMs: STALLED_AFTER_MS,
    crowdedAfterMs: CROWDED_AFTER_MS,
  });

let nextId = 0;
const item = (kind: Item["kind"] = "fresh"): Item => ({ id: nextId++, kind });

/** Starts all that may start. */
function startAll(lanes: Lanes<Item>, now: number): Flight<Item>[] {
  const flights: Flight<Item>[] = [];
  for (;;) {
    const flight = lanes.start(now);
    if (!flight) return flights;
    flights.push(flight);
  }
}

type Step =
  | { do: "add"; key: string; cap: number; kind: Item["kind"] }
  | { do: "start" }
  | { do: "end"; which: number }
  | { do: "tick" }
  | { do: "takeOut"; of: number };

const step: fc.Arbitrary<{ afterMs: number } & Step> = fc
  .record({ afterMs: fc.nat(1_500) })
  .chain(({ afterMs }) =>
    fc
      .oneof(
        {
          weight: 4,
          arbitrary: fc.record({
            do: fc.constant("add" as const),
            key: fc.constantFrom("a", "b", "c"),
            cap: fc.integer({ min: 1, max: 4 }),
            kind: fc.constantFrom("fresh" as const, "retry" as const, "slow" as const),
          }),
        },
        { weight: 4, arbitrary: fc.constant({ do: "start" as const }) },
        { weight: 3, arbitrary: fc.record({ do: fc.constant("end" as const), which: fc.nat() }) },
        { weight: 1, arbitrary: fc.constant({ do: "tick" as const }) },
        {
          weight: 1,
          arbitrary: fc.record({ do: fc.constant("takeOut" as const), of: fc.integer({ min: 1, max: 3 }) }),
        },
      )
      .map((what) => ({ afterMs, ...what })),
  );

it("loses and doubles nothing and keeps every cap and budget, whatever happens in whatever order", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const lanes = newLanes(4, 3);
      const waiting = new Set<Item>();
      const flights = new Set<Flight<Item>>();
      let now = 0;
      for (const each of steps) {
        now += each.afterMs;
        if (each.do === "add") {
          const added = item(each.kind);
          waiting.add(added);
          lanes.add(each.key, each.cap, added, now);
        } else if (each.do === "start") {
          const flight = lanes.start(now);
          if (!flight) continue;
          expect(waiting.delete(flight.item)).toBe(true);
          flights.add(flight);
          const mine = [...flights].filter(({ lane }) => lane === flight.lane);
          expect(mine.length).toBeLessThanOrEqual(flight.lane.cap);
        } else if (each.do === "end") {
          const flight = [...flights][each.which % (flights.size || 1)];
          if (!flight) continue;
          expect(lanes.end(flight, now)).toBe(true);
          expect(lanes.end(flight, now)).toBe(false);
          flights.delete(flight);
        } else if (each.do === "tick") lanes.tick(now);
        else
          for (const out of lanes.takeOut(({ id }) => id % each.of === 0))
            expect(waiting.delete(out)).toBe(true);

        const quick = [...flights].filter((flight) => flight.item.kind !== "slow" && !flight.isSlow);
        const slow = [...flights].filter((flight) => flight.item.kind === "slow");
        expect(quick.length).toBeLessThanOrEqual(4);
        expect(slow.length).toBeLessThanOrEqual(3);
        for (const kind of ["fresh", "retry"] as const) {
          const waits = [...waiting].filter((one) => one.kind === kind).length;
          expect(lanes.load(kind)).toBe(waits + quick.filter((flight) => flight.item.kind === kind).length);
        }
      }
      // Whatever waits gets its turn once there is room.
      for (let round = 0; waiting.size > 0; round++) {
        expect(round).toBeLessThan(steps.length + 2);
        for (const flight of lanes.flights()) lanes.end(flight, now);
        for (const flight of startAll(lanes, now)) expect(waiting.delete(flight.item)).toBe(true);
      }
    }),
  );
});
