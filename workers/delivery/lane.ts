import type { InBag } from "./bag.ts";

/** Where the deliveries of a lane go. */
export interface LaneOf {
  /** The endpoint. */
  key: string;
  /** Requests under way at most. */
  cap: number;
  tenant: string;
  /** The host and port that its requests go to, which other lanes may share. */
  host: string;
  /** Requests begun within a second, where that is limited. */
  perSecond: number | null;
}

/** How an endpoint does, for who decides what may wait for it. */
export interface LaneState extends Readonly<LaneOf> {
  /**
   * A request has lasted longer than `slowAfterMs`, or nothing has ended for `stalledAfterMs` with as much under way as
   * it may have and more than that waiting; and no request has been quick since.
   */
  readonly isHanging: boolean;
  /**
   * With as much under way as it may have, something has waited for `crowdedAfterMs`; or more waits than may begin within a
   * second; or it has hung and is quick again. It stays so until it has had room for more for a while: what was put off
   * meanwhile comes first.
   */
  readonly isCrowded: boolean;
  /** Requests under way. */
  readonly inFlight: number;
}

/** Something that waits in a lane. */
export interface Waiting<T> {
  readonly item: T;
  readonly bytes: number;
  readonly since: number;
}

/** Where a lane is that has something to start and may. */
export interface Place<L> {
  push(lane: L): void;
  delete(lane: L): void;
}

export interface Lane<T> extends LaneState {
  cap: number;
  perSecond: number | null;
  host: string;
  isHanging: boolean;
  isCrowded: boolean;
  inFlight: number;
  waiting: Waiting<T>[];
  /** When a request last ended, or the first one began. */
  movedAt: number;
  place: Place<Lane<T>> | undefined;
  /** It waits for the rate of its endpoint until then. */
  pausedUntil: number;
  /** Ticks for which it has had room for more; and nothing at all to do. */
  spareTicks: number;
  idleTicks: number;
}

export function openLane<T>(of: LaneOf): Lane<T> {
  return {
    ...of,
    isHanging: false,
    isCrowded: false,
    inFlight: 0,
    waiting: [],
    movedAt: 0,
    place: undefined,
    pausedUntil: 0,
    spareTicks: 0,
    idleTicks: 0,
  };
}

/** Puts something into its place in a lane; gives whether the lane starts it next in place of another. */
export function queueIn<T>(
  { waiting }: Lane<T>,
  coming: Waiting<T>,
  goesFirst: LaneOptions<T>["goesFirst"],
): boolean {
  const before = goesFirst(coming.item) ? waiting.findIndex(({ item }) => !goesFirst(item)) : -1;
  if (before === -1) waiting.push(coming);
  else waiting.splice(before, 0, coming);
  return before === 0;
}

/** Deliveries of a lane that may begin at once, or within a second where its rate is limited. */
export const roomOf = ({ cap, perSecond }: LaneState): number =>
  perSecond === null ? cap : Math.min(cap, Math.ceil(perSecond));

export interface Patience {
  /** A request that lasts longer is slow. */
  slowAfterMs: number;
  stalledAfterMs: number;
  crowdedAfterMs: number;
}

export interface LaneOptions<T> extends Patience {
  /** What loads are counted by. */
  kindOf(item: T): string;
  bytesOf(item: T): number;
  /** Whether it goes before others, of its lane and of other lanes, behind those that do so too. */
  goesFirst(item: T): boolean;
  /** The kind of those that wait for slow endpoints: they have a budget of their own and keep it until they end. */
  slowKind: string;
  /** Of other kinds, quick requests under way at most, over all lanes. */
  maxQuick: number;
  /** Requests of the slow kind under way at most. */
  maxSlow: number;
  /** Bytes under way at most: of quick requests, and of the slow kind together with what hangs. */
  maxBytes: number;
  /** Requests under way to one host at most, over all lanes. */
  maxPerHost: number;
  /** Takes a request from the rate of a lane and gives 0, or the milliseconds until there is one. Asked last. */
  takeFromRate(lane: LaneState): number;
}

const CALM_AFTER_TICKS = 8;
const FORGET_AFTER_TICKS = 240;

/**
 * Looks at how a lane does, at each tick; gives false when nothing need be known of it any more. `isKept`: what waits does
 * so for its host or its rate. `isLate`: the whole process has stood still, and nothing has ended in any lane.
 */
export function judge<T>(
  lane: Lane<T>,
  { now, isKept, isLate, patience }: { now: number; isKept: boolean; isLate: boolean; patience: Patience },
): boolean {
  const [first] = lane.waiting;
  const isFull = lane.inFlight >= lane.cap;
  if (first && (isFull || isKept)) lane.isCrowded ||= now - first.since >= patience.crowdedAfterMs;
  if (isFull && lane.waiting.length > lane.cap && !isLate)
    lane.isHanging ||= now - lane.movedAt >= patience.stalledAfterMs;
  lane.spareTicks = first || isFull ? 0 : lane.spareTicks + 1;
  if (lane.spareTicks >= CALM_AFTER_TICKS) lane.isCrowded = false;
  lane.idleTicks = first || lane.inFlight > 0 ? 0 : lane.idleTicks + 1;
  return lane.idleTicks <= FORGET_AFTER_TICKS;
}

/** One request under way. */
export interface Flight<T> extends InBag {
  readonly item: T;
  readonly bytes: number;
  readonly lane: Lane<T>;
  /** The lane's may be another by now. */
  readonly host: string;
  readonly startedAt: number;
  /** It has lasted for so long that it no longer counts as quick. */
  isSlow: boolean;
}
