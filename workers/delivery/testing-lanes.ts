import type { Flight, LaneOf, LaneOptions } from "./lane.ts";
import { Lanes } from "./lanes.ts";

/** What waits in the lanes of tests. */
export interface Item {
  id: number;
  kind: "fresh" | "retry" | "slow";
  bytes: number;
  /** It goes first. */
  isReturned?: boolean;
}

export const SLOW_AFTER_MS = 1_000;
const STALLED_AFTER_MS = 300;
export const CROWDED_AFTER_MS = 2_000;

export const newLanes = (maxQuick = 4, maxSlow = 3, over: Partial<LaneOptions<Item>> = {}) =>
  new Lanes<Item>({
    kindOf: (item) => item.kind,
    bytesOf: (item) => item.bytes,
    goesFirst: (item) => item.isReturned ?? false,
    maxBytes: 0,
    maxPerHost: 1_000,
    takeFromRate: () => 0,
    slowKind: "slow",
    maxQuick,
    maxSlow,
    slowAfterMs: SLOW_AFTER_MS,
    stalledAfterMs: STALLED_AFTER_MS,
    crowdedAfterMs: CROWDED_AFTER_MS,
    ...over,
  });

let nextId = 0;
export const item = (kind: Item["kind"] = "fresh"): Item => ({ id: nextId++, kind, bytes: 0 });

/** Starts all that may start. */
export function startAll(lanes: Lanes<Item>, now: number): Flight<Item>[] {
  const flights: Flight<Item>[] = [];
  for (;;) {
    const flight = lanes.start(now);
    if (!flight) return flights;
    flights.push(flight);
  }
}

export const of = (key: string, cap: number): LaneOf => ({
  key,
  cap,
  tenant: "t",
  host: key,
  perSecond: null,
});

export function fill(
  lanes: Lanes<Item>,
  key: string,
  cap: number,
  count: number,
  kind: Item["kind"] = "fresh",
  now = 0,
) {
  for (let i = 0; i < count; i++) lanes.add(of(key, cap), item(kind), now);
}
