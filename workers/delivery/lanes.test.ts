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

describe("whose turn it is", () => {
  it("takes lanes in turn, each up to its cap", () => {
    const lanes = newLanes(100);
    fill(lanes, "a", 3, 5);
    fill(lanes, "b", 1, 5);
    fill(lanes, "c", 2, 1);
    expect(startAll(lanes, 0).map(({ lane }) => lane.key)).toEqual(["a", "b", "c", "a", "a"]);
    expect(lanes.busyKeys().sort()).toEqual(["a", "b"]);
  });

  it("starts no more over all lanes than the budget allows, and goes on as soon as one ends", () => {
    const lanes = newLanes(4);
    for (const key of "abcdef") fill(lanes, key, 2, 2);
    const flights = startAll(lanes, 0);
    expect(flights).toHaveLength(4);
    for (const flight of flights.slice(0, 2)) lanes.end(flight, 10);
    expect(startAll(lanes, 10).map(({ lane }) => lane.key)).toEqual(["e", "f"]);
  });

  it("keeps the order within a lane", () => {
    const lanes = newLanes();
    const items = [item(), item(), item()];
    for (const each of items) lanes.add(of("a", 1), each, 0);
    for (const each of items) {
      const [flight] = startAll(lanes, 0);
      expect(flight?.item).toBe(each);
      if (flight) lanes.end(flight, 1);
    }
  });

  it("puts what goes first before the others of its lane, in the order in which it came", () => {
    const lanes = newLanes();
    const others = [item(), item()];
    const first = [item(), item()].map((each) => ({ ...each, isReturned: true }));
    for (const each of [others[0], first[0], others[1], first[1]]) if (each) lanes.add(of("a", 1), each, 0);
    for (const each of [...first, ...others]) {
      const [flight] = startAll(lanes, 0);
      expect(flight?.item).toEqual(each);
      if (flight) lanes.end(flight, 1);
    }
  });

  it("puts lanes whose next goes first before the other lanes, as far as their caps allow", () => {
    const lanes = newLanes(4);
    for (const key of ["a", "b", "c"]) fill(lanes, key, 2, 3);
    for (const key of ["c", "c", "c", "d"]) lanes.add(of(key, 2), { ...item(), isReturned: true }, 0);
    const keys = () => startAll(lanes, 0).map(({ lane, item }) => lane.key + (item.isReturned ? "!" : ""));
    expect(keys()).toEqual(["c!", "d!", "c!", "a"]);
  });

  it("starts nothing in a lane that had its turn to come when its cap was lowered to what is under way", () => {
    const lanes = newLanes();
    fill(lanes, "a", 2, 2);
    const first = lanes.start(0) as Flight<Item>;
    fill(lanes, "a", 1, 1);
    expect(lanes.start(0)).toBeUndefined();
    lanes.end(first, 1);
    expect(startAll(lanes, 1)).toHaveLength(1);
  });

  it("follows a cap that was raised or lowered", () => {
    const lanes = newLanes(100);
    fill(lanes, "a", 1, 3);
    expect(startAll(lanes, 0)).toHaveLength(1);
    fill(lanes, "a", 3, 1);
    const flights = startAll(lanes, 0);
    expect(flights).toHaveLength(2);
    fill(lanes, "a", 1, 1);
    for (const flight of flights) lanes.end(flight, 1);
    expect(startAll(lanes, 1)).toEqual([]);
  });
});

describe("a request that hangs", () => {
  it("leaves the budget to others and marks its lane, until one is quick again", () => {
    const lanes = newLanes(2);
    fill(lanes, "hangs", 2, 10);
    const flights = startAll(lanes, 0);
    fill(lanes, "fine", 2, 2);
    expect(startAll(lanes, 10)).toEqual([]);
    lanes.tick(SLOW_AFTER_MS - 1);
    expect(lanes.state("hangs")?.isHanging).toBe(false);
    lanes.tick(SLOW_AFTER_MS);
    expect(lanes.state("hangs")?.isHanging).toBe(true);
    expect(startAll(lanes, SLOW_AFTER_MS).map(({ lane }) => lane.key)).toEqual(["fine", "fine"]);

    lanes.end(flights[0] as Flight<Item>, 15_000);
    expect(lanes.state("hangs")?.isHanging).toBe(true);
    lanes.end(flights[1] as Flight<Item>, 15_000);
    expect(startAll(lanes, 15_000)).toEqual([]);
  });

  it("marks its lane although it ended between two ticks", () => {
    const lanes = newLanes();
    fill(lanes, "hangs", 1, 2);
    const [flight] = startAll(lanes, 0);
    lanes.end(flight as Flight<Item>, SLOW_AFTER_MS);
    expect(lanes.state("hangs")?.isHanging).toBe(true);
    const [quick] = startAll(lanes, SLOW_AFTER_MS);
    lanes.end(quick as Flight<Item>, SLOW_AFTER_MS + 5);
    expect(lanes.state("hangs")?.isHanging).toBe(false);
  });

  it("is told early where more waits than is next and nothing ends", () => {
    const lanes = newLanes(100);
    fill(lanes, "hangs", 2, 5);
    fill(lanes, "short", 2, 4);
    fill(lanes, "moves", 2, 9);
    const moving = startAll(lanes, 0).find(({ lane }) => lane.key === "moves");
    lanes.tick(0);
    lanes.tick(250);
    lanes.end(moving as Flight<Item>, 300);
    startAll(lanes, 300);
    lanes.tick(500);
    expect(["hangs", "short", "moves"].map((key) => lanes.state(key)?.isHanging)).toEqual([
      true,
      false,
      false,
    ]);
  });

  it("is not seen where the whole process stood still", () => {
    const lanes = newLanes(100);
    fill(lanes, "a", 1, 5);
    startAll(lanes, 0);
    lanes.tick(100);
    lanes.tick(950);
    expect(lanes.state("a")?.isHanging).toBe(false);
    lanes.tick(970);
    expect(lanes.state("a")?.isHanging).toBe(true);
  });

  it("uses the budget of the slow until it ends, when it came from them", () => {
    const lanes = newLanes(2, 3);
    for (const key of "abcd") fill(lanes, key, 1, 1, "slow");
    fill(lanes, "e", 5, 5);
    const flights = startAll(lanes, 0);
    expect(flights.map(({ item: { kind } }) => kind).sort()).toEqual([
      "fresh",
      "fresh",
      "slow",
      "slow",
      "slow",
    ]);
    lanes.tick(60_000);
    expect(lanes.load("slow")).toBe(4);
    lanes.end(flights.find(({ item: { kind } }) => kind === "slow") as Flight<Item>, 60_000);
    expect(startAll(lanes, 60_000).map(({ item: { kind } }) => kind)).toEqual(["fresh", "fresh", "slow"]);
  });
});

describe("a lane that has more than it can take", () => {
  it("is crowded when something has waited too long behind its cap, until it has had room for two seconds", () => {
    const lanes = newLanes(100);
    fill(lanes, "a", 1, 2);
    const first = startAll(lanes, 0);
    lanes.tick(CROWDED_AFTER_MS - 1);
    expect(lanes.state("a")?.isCrowded).toBe(false);
    lanes.tick(CROWDED_AFTER_MS);
    expect(lanes.state("a")?.isCrowded).toBe(true);
    lanes.end(first[0] as Flight<Item>, 500);
    const [second] = startAll(lanes, 500);
    lanes.end(second as Flight<Item>, 501);
    for (let tick = 0; tick < 7; tick++) lanes.tick(CROWDED_AFTER_MS);
    expect(lanes.state("a")?.isCrowded).toBe(true);
    lanes.tick(CROWDED_AFTER_MS);
    expect(lanes.state("a")?.isCrowded).toBe(false);
  });

  it("is crowded after it has hung, while what was put off is still to come", () => {
    const lanes = newLanes(100);
    fill(lanes, "a", 1, 1);
    const [hung] = startAll(lanes, 0);
    lanes.end(hung as Flight<Item>, SLOW_AFTER_MS);
    expect(lanes.state("a")).toMatchObject({ isHanging: true, isCrowded: false });
    fill(lanes, "a", 1, 1, "slow", 5_000);
    const [quick] = startAll(lanes, 5_000);
    lanes.end(quick as Flight<Item>, 5_001);
    expect(lanes.state("a")).toMatchObject({ isHanging: false, isCrowded: true });
    fill(lanes, "a", 1, 2, "slow", 5_001);
    startAll(lanes, 5_001);
    for (let tick = 0; tick < 20; tick++) lanes.tick(5_002);
    expect(lanes.state("a")?.isCrowded).toBe(true);
  });

  it("is not crowded when it is the budget of all that it waits for", () => {
    const lanes = newLanes(1);
    fill(lanes, "a", 10, 3);
    fill(lanes, "b", 10, 3);
    startAll(lanes, 0);
    lanes.tick(CROWDED_AFTER_MS * 5);
    expect([lanes.state("a")?.isCrowded, lanes.state("b")?.isCrowded]).toEqual([false, false]);
  });
});

it("forgets a lane a minute after its last request", () => {
  const lanes = newLanes();
  fill(lanes, "a", 1, 1);
  const [flight] = startAll(lanes, 0);
  for (let tick = 0; tick < 1_000; tick++) lanes.tick(0);
  lanes.end(flight as Flight<Item>, SLOW_AFTER_MS);
  for (let tick = 0; tick < 240; tick++) lanes.tick(SLOW_AFTER_MS);
  expect(lanes.state("a")?.isHanging).toBe(true);
  lanes.tick(SLOW_AFTER_MS);
  expect(lanes.state("a")).toBeUndefined();
});
