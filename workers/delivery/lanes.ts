/** One request under way. */
export interface Flight<T> {
  readonly item: T;
  readonly lane: Lane<T>;
  readonly startedAt: number;
  /** It has lasted for so long that it no longer counts as quick. */
  isSlow: boolean;
}

/** How an endpoint does, for who decides what may wait for it. */
export interface LaneState {
  readonly key: string;
  /** Requests under way at most. */
  readonly cap: number;
  /**
   * A request has lasted longer than `slowAfterMs`, or nothing has ended for `stalledAfterMs` with as much under way as
   * it may have and more than that waiting; and no request has been quick since.
   */
  readonly isHanging: boolean;
  /**
   * With as much under way as it may have, something has waited for `crowdedAfterMs`; or it has hung and is quick again.
   * It stays so until it has had room for more for a while: what was put off meanwhile comes first.
   */
  readonly isCrowded: boolean;
  /** Requests under way. */
  readonly inFlight: number;
}

interface Lane<T> extends LaneState {
  cap: number;
  isHanging: boolean;
  isCrowded: boolean;
  inFlight: number;
  waiting: { item: T; since: number }[];
  /** When a request last ended, or the first one began. */
  movedAt: number;
  /** The list of ready lanes that it is in. */
  readyIn: Lane<T>[] | undefined;
  /** Ticks for which it has had room for more; and nothing at all to do. */
  spareTicks: number;
  idleTicks: number;
}

export interface LaneOptions<T> {
  /** What loads are counted by. */
  kindOf(item: T): string;
  /** The kind of those that wait for slow endpoints: they have a budget of their own and keep it until they end. */
  slowKind: string;
  /** Of other kinds, quick requests under way at most, over all lanes. */
  maxQuick: number;
  /** Requests of the slow kind under way at most. */
  maxSlow: number;
  /** A request that lasts longer is slow. */
  slowAfterMs: number;
  stalledAfterMs: number;
  crowdedAfterMs: number;
}

const CALM_AFTER_TICKS = 8;
const FORGET_AFTER_TICKS = 240;

/**
 * Who goes next: one lane per endpoint with a cap of requests under way, lanes in turn, one budget over all of them.
 * A lane whose requests hang costs the others nothing: what hangs leaves the budget, and what waits behind it can be
 * taken out and put off. A pure structure: the caller says what time it is.
 */
export class Lanes<T> {
  readonly #options: LaneOptions<T>;
  readonly #lanes = new Map<string, Lane<T>>();
  readonly #flights = new Set<Flight<T>>();
  readonly #readyQuick: Lane<T>[] = [];
  readonly #readySlow: Lane<T>[] = [];
  #quick = 0;
  #slow = 0;
  #tickedAt = 0;
  readonly #loads = new Map<string, number>();

  constructor(options: LaneOptions<T>) {
    this.#options = options;
  }

  /** Items of a kind that wait, and those whose requests use its budget. */
  load(kind: string): number {
    return this.#loads.get(kind) ?? 0;
  }

  /** The requests that are under way. */
  flights(): Flight<T>[] {
    return [...this.#flights];
  }

  state(key: string): LaneState | undefined {
    return this.#lanes.get(key);
  }

  /** All lanes there are, with what is under way and what waits in them. */
  states(): Iterable<LaneState & { inFlight: number; waiting: readonly unknown[] }> {
    return this.#lanes.values();
  }

  /** Keys that have as much under way or waiting as they may. */
  busyKeys(): string[] {
    const busy: string[] = [];
    for (const lane of this.#lanes.values())
      if (lane.inFlight + lane.waiting.length >= lane.cap) busy.push(lane.key);
    return busy;
  }

  add(key: string, cap: number, item: T, now: number): void {
    const lane = this.#lanes.get(key) ?? this.#open(key, cap);
    lane.cap = cap;
    lane.waiting.push({ item, since: now });
    this.#count(item, 1);
    this.#enlist(lane);
  }

  /** The next item that may start now, or `undefined`. Lanes take turns. */
  start(now: number): Flight<T> | undefined {
    const { maxQuick, maxSlow } = this.#options;
    const lane =
      (this.#quick < maxQuick ? this.#readyQuick.shift() : undefined) ??
      (this.#slow < maxSlow ? this.#readySlow.shift() : undefined);
    if (!lane) return undefined;
    lane.readyIn = undefined;
    const { item } = lane.waiting.shift() as { item: T };
    if (lane.inFlight++ === 0) lane.movedAt = now;
    if (this.#isOfSlowKind(item)) this.#slow++;
    else this.#quick++;
    this.#enlist(lane);
    const flight = { item, lane, startedAt: now, isSlow: false };
    this.#flights.add(flight);
    return flight;
  }

  /** A request has ended; gives false when it had been given up before. */
  end(flight: Flight<T>, now: number): boolean {
    if (!this.#flights.delete(flight)) return false;
    const { lane, item } = flight;
    lane.inFlight--;
    lane.movedAt = now;
    if (this.#isOfSlowKind(item)) {
      this.#slow--;
      this.#count(item, -1);
    } else if (!flight.isSlow) this.#leaveBudget(item);
    const wasHanging = lane.isHanging;
    lane.isHanging = this.#isLong(flight, now);
    lane.isCrowded ||= wasHanging && !lane.isHanging;
    this.#enlist(lane);
    return true;
  }

  /** Notes what has become slow. To be called a few times per `slowAfterMs`. */
  tick(now: number): void {
    // When the whole process has stood still, nothing has ended in any lane.
    const isLate = now - this.#tickedAt > 2 * this.#options.stalledAfterMs;
    this.#tickedAt = now;
    for (const flight of this.#flights) {
      // In the order of their start: the first that is quick ends the search.
      if (!this.#isLong(flight, now)) break;
      if (flight.isSlow) continue;
      flight.isSlow = true;
      flight.lane.isHanging = true;
      if (!this.#isOfSlowKind(flight.item)) this.#leaveBudget(flight.item);
    }
    for (const lane of this.#lanes.values()) {
      const [first] = lane.waiting;
      const isFull = lane.inFlight >= lane.cap;
      if (first && isFull) {
        lane.isCrowded ||= now - first.since >= this.#options.crowdedAfterMs;
        lane.isHanging ||= !isLate && this.#isStalled(lane, now);
      }
      lane.spareTicks = first || isFull ? 0 : lane.spareTicks + 1;
      if (lane.spareTicks >= CALM_AFTER_TICKS) lane.isCrowded = false;
      lane.idleTicks = first || lane.inFlight > 0 ? 0 : lane.idleTicks + 1;
      if (lane.idleTicks > FORGET_AFTER_TICKS) this.#lanes.delete(lane.key);
    }
  }

  /**
   * Takes out what waits and is chosen, of all lanes or of that of `key`; `position` is its place in its lane, from 0.
   */
  takeOut(chosen: (item: T, lane: LaneState, position: number) => boolean, key?: string): T[] {
    const out: T[] = [];
    for (const lane of key === undefined ? this.#lanes.values() : this.#lanesOf(key)) {
      const staying = lane.waiting.filter(({ item }, position) => {
        if (!chosen(item, lane, position)) return true;
        out.push(item);
        return false;
      });
      if (staying.length === lane.waiting.length) continue;
      lane.waiting = staying;
      this.#delist(lane);
      this.#enlist(lane);
    }
    for (const item of out) this.#count(item, -1);
    return out;
  }

  #lanesOf(key: string): Lane<T>[] {
    const lane = this.#lanes.get(key);
    return lane ? [lane] : [];
  }

  #open(key: string, cap: number): Lane<T> {
    const lane: Lane<T> = {
      key,
      cap,
      isHanging: false,
      isCrowded: false,
      inFlight: 0,
      waiting: [],
      movedAt: 0,
      readyIn: undefined,
      spareTicks: 0,
      idleTicks: 0,
    };
    this.#lanes.set(key, lane);
    return lane;
  }

  #isStalled({ cap, waiting, movedAt }: Lane<T>, now: number): boolean {
    return waiting.length > cap && now - movedAt >= this.#options.stalledAfterMs;
  }

  #isOfSlowKind(item: T): boolean {
    return this.#options.kindOf(item) === this.#options.slowKind;
  }

  #isLong(flight: Flight<T>, now: number): boolean {
    return now - flight.startedAt >= this.#options.slowAfterMs;
  }

  #leaveBudget(item: T): void {
    this.#quick--;
    this.#count(item, -1);
  }

  #count(item: T, change: 1 | -1): void {
    const kind = this.#options.kindOf(item);
    this.#loads.set(kind, this.load(kind) + change);
  }

  /** Puts a lane that has something to start, and may, at the end of the list for what it starts next. */
  #enlist(lane: Lane<T>): void {
    const [next] = lane.waiting;
    if (lane.readyIn || !next || lane.inFlight >= lane.cap) return;
    lane.readyIn = this.#isOfSlowKind(next.item) ? this.#readySlow : this.#readyQuick;
    lane.readyIn.push(lane);
  }

  #delist(lane: Lane<T>): void {
    lane.readyIn?.splice(lane.readyIn.indexOf(lane), 1);
    lane.readyIn = undefined;
  }
}
