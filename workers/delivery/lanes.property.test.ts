import fc from "fast-check";
import { expect, it } from "vitest";
import type { Flight } from "./lane.ts";
import { Lanes } from "./lanes.ts";
import { type Item, startAll } from "./testing-lanes.ts";

const MAX_BYTES = 100_000;
const MAX_PER_HOST = 3;
/** Of lane `c`, whose requests begin so far apart. */
const APART_MS = 400;
const LANES = {
  a: { tenant: "one", host: "shared", perSecond: null },
  b: { tenant: "two", host: "shared", perSecond: null },
  c: { tenant: "two", host: "own", perSecond: 2 },
};

/** Lanes whose rate goes by the clock of `time`. */
const newLanes = (time: { now: number }) => {
  let rateFrom = 0;
  return new Lanes<Item>({
    kindOf: (item) => item.kind,
    bytesOf: (item) => item.bytes,
    goesFirst: (item) => item.isReturned ?? false,
    slowKind: "slow",
    maxQuick: 4,
    maxSlow: 3,
    maxBytes: MAX_BYTES,
    maxPerHost: MAX_PER_HOST,
    takeFromRate() {
      if (time.now < rateFrom) return rateFrom - time.now;
      rateFrom = time.now + APART_MS;
      return 0;
    },
    slowAfterMs: 1_000,
    stalledAfterMs: 300,
    crowdedAfterMs: 2_000,
  });
};

let nextId = 0;
const item = ({ kind, bytes, isReturned }: Omit<Item, "id">): Item => ({
  ...{ id: nextId++, kind, bytes, isReturned },
});
const bytesOf = (flights: readonly Flight<Item>[]) =>
  flights.reduce((sum, { item: { bytes } }) => sum + (bytes > 4_096 ? bytes : 0), 0);

type Step =
  | ({ do: "add"; key: keyof typeof LANES; cap: number } & Omit<Item, "id">)
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
            key: fc.constantFrom("a" as const, "b" as const, "c" as const),
            bytes: fc.constantFrom(100, 30_000, 60_000),
            cap: fc.integer({ min: 1, max: 4 }),
            kind: fc.constantFrom("fresh" as const, "retry" as const, "slow" as const),
            isReturned: fc.boolean(),
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

it("loses and doubles nothing and keeps every cap, budget and rate, whatever happens in whatever order", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const time = { now: 0 };
      const lanes = newLanes(time);
      const waiting = new Set<Item>();
      const flights = new Set<Flight<Item>>();
      const rated: number[] = [];
      const began = (flight: Flight<Item>) => {
        expect(waiting.delete(flight.item)).toBe(true);
        flights.add(flight);
        if (flight.lane.key === "c") rated.push(time.now);
        expect([...flights].filter(({ lane }) => lane === flight.lane).length).toBeLessThanOrEqual(
          flight.lane.cap,
        );
      };
      for (const each of steps) {
        time.now += each.afterMs;
        const { now } = time;
        if (each.do === "add") {
          const added = item(each);
          waiting.add(added);
          lanes.add({ key: each.key, cap: each.cap, ...LANES[each.key] }, added, now);
        } else if (each.do === "start") {
          const flight = lanes.start(now);
          if (flight) began(flight);
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
        expect(bytesOf(quick)).toBeLessThanOrEqual(MAX_BYTES);
        expect(bytesOf(slow)).toBeLessThanOrEqual(MAX_BYTES);
        const shared = [...flights].filter(({ host }) => host === "shared");
        expect(shared.length).toBeLessThanOrEqual(MAX_PER_HOST);
        const held = [...waiting, ...[...quick, ...slow].map((flight) => flight.item)];
        for (const kind of ["fresh", "retry", "slow"] as const) {
          const mine = held.filter((one) => one.kind === kind);
          expect(lanes.load(kind)).toBe(mine.length);
          expect(lanes.bytes(kind)).toBe(mine.reduce((sum, { bytes }) => sum + bytes, 0));
        }
      }
      // Whatever waits gets its turn once there is room.
      for (let round = 0; waiting.size > 0; round++) {
        expect(round).toBeLessThan(3 * steps.length + 3);
        for (const flight of flights) lanes.end(flight, time.now);
        flights.clear();
        time.now += APART_MS;
        lanes.tick(time.now);
        for (const flight of startAll(lanes, time.now)) began(flight);
      }
      expect(rated.every((at, i) => i === 0 || at - (rated[i - 1] ?? 0) >= APART_MS)).toBe(true);
    }),
    { numRuns: 1_000 },
  );
});
