/** One request under way. */
export interface Flight<T> {
  readonly item: T;
  readonly lane: Lane<T>;
  readonly startedAt: number;
  slow: boolean;
}

interface Lane<T> {
  readonly key: string;
  cap: number;
  inFlight: number;
  waiting: T[];
  /** Not in the ready list twice. */
  ready: boolean;
  /** A request has lasted longer than `slowAfterMs`, and none has been quick since. */
  slow: boolean;
  idleTicks: number;
}

export interface LaneOptions<T> {
  /** What loads are counted by. */
  kindOf(item: T): string;
  /** Quick requests under way at most, over all lanes. */
  maxInFlight: number;
  /** A request that lasts longer makes its lane slow and no longer counts against `maxInFlight`. */
  slowAfterMs: number;
}

const FORGET_AFTER_TICKS = 240;

/**
 * Who goes next: one lane per endpoint with a cap of requests under way, lanes in turn, one budget over all of them.
 * A lane whose requests hang costs the others nothing: what hangs leaves the budget, and what waits behind it is given
 * back by `tick` to be put off. A pure structure: the caller says what time it is.
 */
export class Lanes<T> {
  readonly #options: LaneOptions<T>;
  readonly #lanes = new Map<string, Lane<T>>();
  readonly #flights = new Set<Flight<T>>();
  #ready: Lane<T>[] = [];
  /** Quick requests under way. */
  #quick = 0;
  /** Per kind: what waits, and quick requests under way. */
  readonly #loads = new Map<string, number>();

  constructor(options: LaneOptions<T>) {
    this.#options = options;
  }

  /** Items of a kind that wait, and those whose requests are under way and still quick. */
  load(kind: string): number {
    return this.#loads.get(kind) ?? 0;
  }

  /** The items whose requests are under way. */
  flights(): Flight<T>[] {
    return [...this.#flights];
  }

  /** Whether new work for this key should be put off rather than wait. */
  isSlow(key: string): boolean {
    return this.#lanes.get(key)?.slow ?? false;
  }

  /** Keys that have as much under way or waiting as they may. */
  busyKeys(): string[] {
    const busy: string[] = [];
    for (const lane of this.#lanes.values())
      if (lane.inFlight + lane.waiting.length >= lane.cap) busy.push(lane.key);
    return busy;
  }

  add(key: string, cap: number, item: T): void {
    let lane = this.#lanes.get(key);
    if (!lane) {
      lane = {
        key,
        cap,
        inFlight: 0,
        waiting: [],
        ready: false,
        slow: false,
        idleTicks: 0,
      };
      this.#lanes.set(key, lane);
    }
    lane.cap = cap;
    lane.waiting.push(item);
    this.#count(item, 1);
    this.#enlist(lane);
  }

  /** The next item that may start now, or `undefined`. Lanes take turns. */
  start(now: number): Flight<T> | undefined {
    if (this.#quick >= this.#options.maxInFlight) return undefined;
    const lane = this.#ready.shift();
    if (!lane) return undefined;
    lane.ready = false;
    const item = lane.waiting.shift() as T;
    lane.inFlight++;
    this.#quick++;
    this.#enlist(lane);
    const flight = { item, lane, startedAt: now, slow: false };
    this.#flights.add(flight);
    return flight;
  }

  /** A request has ended; gives false when it had been given up before. */
  end(flight: Flight<T>, now: number): boolean {
    if (!this.#flights.delete(flight)) return false;
    const { lane } = flight;
    lane.inFlight--;
    if (!flight.slow) this.#leaveBudget(flight);
    if (now - flight.startedAt < this.#options.slowAfterMs) lane.slow = false;
    this.#enlist(lane);
    return true;
  }

  /**
   * To be called a few times per `slowAfterMs`. Marks what has become slow, and gives back what waits in slow lanes,
   * less what may not leave.
   */
  tick(now: number, mayLeave: (item: T) => boolean): T[] {
    this.#markSlow(now);
    const leaving: T[] = [];
    for (const lane of this.#lanes.values()) {
      const idle = lane.inFlight === 0 && lane.waiting.length === 0;
      lane.idleTicks = idle ? lane.idleTicks + 1 : 0;
      if (lane.idleTicks > FORGET_AFTER_TICKS) this.#lanes.delete(lane.key);
      if (lane.slow) leaving.push(...this.#cut(lane, mayLeave));
    }
    return leaving;
  }

  /** Takes out everything that waits. */
  drain(): T[] {
    const all = [...this.#lanes.values()].flatMap((lane) => lane.waiting.splice(0));
    for (const lane of this.#ready) lane.ready = false;
    this.#ready = [];
    for (const item of all) this.#count(item, -1);
    return all;
  }

  #markSlow(now: number): void {
    // In order of their start: the first that is still quick ends the search.
    for (const flight of this.#flights) {
      if (now - flight.startedAt < this.#options.slowAfterMs) break;
      if (flight.slow) continue;
      flight.slow = true;
      flight.lane.slow = true;
      this.#leaveBudget(flight);
    }
  }

  #cut(lane: Lane<T>, mayLeave: (item: T) => boolean): T[] {
    const staying: T[] = [];
    const leaving: T[] = [];
    for (const item of lane.waiting) (mayLeave(item) ? leaving : staying).push(item);
    lane.waiting = staying;
    for (const item of leaving) this.#count(item, -1);
    if (staying.length === 0 && lane.ready) {
      lane.ready = false;
      this.#ready = this.#ready.filter((other) => other !== lane);
    }
    return leaving;
  }

  #leaveBudget(flight: Flight<T>): void {
    this.#quick--;
    this.#count(flight.item, -1);
  }

  #count(item: T, change: 1 | -1): void {
    const kind = this.#options.kindOf(item);
    this.#loads.set(kind, this.load(kind) + change);
  }

  #enlist(lane: Lane<T>): void {
    if (lane.ready || lane.waiting.length === 0 || lane.inFlight >= lane.cap) return;
    lane.ready = true;
    this.#ready.push(lane);
  }
}
