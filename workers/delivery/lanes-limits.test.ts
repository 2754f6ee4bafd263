import { describe, expect, it } from "vitest";
import type { Flight } from "./lane.ts";
import {
  CROWDED_AFTER_MS,
  fill,
  type Item,
  item,
  newLanes,
  of,
  SLOW_AFTER_MS,
  startAll,
} from "./testing-lanes.ts";

describe("tenants", () => {
  it("take turns, however many lanes one of them has", () => {
    const lanes = newLanes(100);
    for (let i = 0; i < 20; i++) lanes.add({ ...of(`big${i}`, 5), tenant: "big" }, item(), 0);
    lanes.add({ ...of("small", 5), tenant: "small" }, item(), 0);
    lanes.add({ ...of("small", 5), tenant: "small" }, item(), 0);
    expect(
      startAll(lanes, 0)
        .map(({ lane }) => lane.tenant)
        .slice(0, 5),
    ).toEqual(["big", "small", "big", "small", "big"]);
  });
});

describe("a host", () => {
  it("that many lanes lead to has no more requests than it may, and leaves room to others", () => {
    const lanes = newLanes(100, 3, { maxPerHost: 3 });
    for (const key of "abcdef") lanes.add({ ...of(key, 5), host: "shared" }, item(), 0);
    lanes.add(of("own", 5), item(), 0);
    const flights = startAll(lanes, 0);
    expect(flights.map(({ lane }) => lane.key)).toEqual(["a", "b", "c", "own"]);
    lanes.end(flights[1] as Flight<Item>, 10);
    expect(startAll(lanes, 10).map(({ lane }) => lane.key)).toEqual(["d"]);
    lanes.tick(CROWDED_AFTER_MS);
    expect(["e", "f", "own"].map((key) => lanes.state(key)?.isCrowded)).toEqual([true, true, false]);
    expect(lanes.state("e")?.isHanging).toBe(false);
  });

  it("is that of the last address, and what is under way counts for the one it went to", () => {
    const lanes = newLanes(100, 3, { maxPerHost: 1 });
    lanes.add({ ...of("a", 5), host: "before" }, item(), 0);
    const [before] = startAll(lanes, 0);
    lanes.add({ ...of("a", 5), host: "after" }, item(), 0);
    expect(startAll(lanes, 0).map(({ host }) => host)).toEqual(["after"]);
    lanes.add({ ...of("b", 5), host: "before" }, item(), 0);
    expect(startAll(lanes, 0)).toEqual([]);
    lanes.end(before as Flight<Item>, 1);
    expect(startAll(lanes, 1).map(({ lane }) => lane.key)).toEqual(["b"]);
  });

  it("keeps nobody waiting although who was let on has gone", () => {
    const lanes = newLanes(100, 3, { maxPerHost: 1 });
    for (const key of "abc") lanes.add({ ...of(key, 5), host: "shared" }, item(), 0);
    const [first] = startAll(lanes, 0);
    lanes.end(first as Flight<Item>, 1);
    lanes.takeOut((_, { key }) => key === "b");
    lanes.tick(2);
    expect(startAll(lanes, 2).map(({ lane }) => lane.key)).toEqual(["c"]);
  });
});

const MEGABYTE = 1_048_576;
const large = (bytes: number) => ({ ...item(), bytes });

describe("bytes", () => {
  it("are under way up to the budget; who waits for them goes before what is large too, and small ones never wait", () => {
    const lanes = newLanes(100, 3, { maxBytes: 3 * MEGABYTE + 100 });
    for (const [key, bytes] of [
      ["a", 2],
      ["b", 2],
      ["c", 1],
    ] as const)
      lanes.add(of(key, 5), large(bytes * MEGABYTE), 0);
    lanes.add(of("d", 5), large(100), 0);
    const flights = startAll(lanes, 0);
    expect(flights.map(({ lane }) => lane.key)).toEqual(["a", "d"]);
    lanes.end(flights[0] as Flight<Item>, 1);
    expect(startAll(lanes, 1).map(({ lane }) => lane.key)).toEqual(["b", "c"]);
  });

  it("of what hangs leave the budget of the quick and take from that of the slow", () => {
    const lanes = newLanes(100, 3, { maxBytes: 3 * MEGABYTE });
    lanes.add(of("hangs", 5), large(3 * MEGABYTE), 0);
    const [hanging] = startAll(lanes, 0);
    lanes.add(of("fine", 5), large(3 * MEGABYTE), 0);
    lanes.add(of("slow", 5), { ...large(MEGABYTE), kind: "slow" }, 0);
    expect(startAll(lanes, 1).map(({ lane }) => lane.key)).toEqual(["slow"]);
    lanes.tick(SLOW_AFTER_MS);
    expect(startAll(lanes, SLOW_AFTER_MS).map(({ lane }) => lane.key)).toEqual(["fine"]);
    lanes.add(of("slow", 5), { ...large(MEGABYTE), kind: "slow" }, 0);
    expect(startAll(lanes, SLOW_AFTER_MS)).toEqual([]);
    lanes.end(hanging as Flight<Item>, 2_000);
    expect(startAll(lanes, 2_000).map(({ lane }) => lane.key)).toEqual(["slow"]);
  });
});

describe("bytes of what hangs", () => {
  it("have a bound too: beyond four budgets of them nothing large begins until some of it has ended", () => {
    const lanes = newLanes(1_000, 3, { maxBytes: MEGABYTE });
    const hanging: Flight<Item>[] = [];
    // An endpoint hangs after the other, each with as much as may be under way of what is quick.
    for (let n = 0; n < 20; n++) {
      lanes.add(of(`hangs ${n}`, 5), large(MEGABYTE), n * SLOW_AFTER_MS);
      hanging.push(...startAll(lanes, n * SLOW_AFTER_MS));
      lanes.tick((n + 1) * SLOW_AFTER_MS);
    }
    expect(hanging).toHaveLength(4);
    lanes.add(of("small", 5), large(100), 20_000);
    const [small, ...more] = startAll(lanes, 20_000);
    expect([small?.lane.key, ...more]).toEqual(["small"]);
    for (const flight of [small, hanging[0]]) lanes.end(flight as Flight<Item>, 20_000);
    expect(startAll(lanes, 20_000)).toHaveLength(1);
  });
});

describe("a lane with a rate", () => {
  it("waits for it without taking from anybody, and is crowded when more waits than a second is for", () => {
    let rateFrom = 0;
    let now = 0;
    const takeFromRate = () => {
      if (now < rateFrom) return rateFrom - now;
      rateFrom = now + 500;
      return 0;
    };
    const lanes = newLanes(1, 3, { takeFromRate });
    const rated = { ...of("rated", 5), perSecond: 2 };
    lanes.add(rated, item(), 0);
    lanes.add(rated, item(), 0);
    fill(lanes, "free", 5, 3);
    const endAll = (flights: Flight<Item>[]) => {
      for (const flight of flights) lanes.end(flight, now);
      return flights.map(({ lane }) => lane.key);
    };
    expect(endAll(startAll(lanes, now))).toEqual(["rated"]);
    for (let i = 0; i < 3; i++) expect(endAll(startAll(lanes, ++now))).toEqual(["free"]);
    expect(startAll(lanes, ++now)).toEqual([]);
    expect(lanes.resumeAt).toBe(500);
    now = 499;
    expect(startAll(lanes, now)).toEqual([]);
    now = 500;
    expect(endAll(startAll(lanes, now))).toEqual(["rated"]);
    expect(lanes.resumeAt).toBe(Number.POSITIVE_INFINITY);
    expect(lanes.state("rated")?.isCrowded).toBe(false);
    for (let i = 0; i < 3; i++) lanes.add(rated, item(), now);
    expect(lanes.state("rated")?.isCrowded).toBe(true);
  });
});
