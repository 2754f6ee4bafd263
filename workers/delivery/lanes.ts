import { Bag } from "./bag.ts";
import { Hosts } from "./hosts.ts";
import {
  type Flight,
  judge,
  type Lane,
  type LaneOf,
  type LaneOptions,
  type LaneState,
  openLane,
  queueIn,
  roomOf,
  type Waiting,
} from "./lane.ts";
import { Loads } from "./loads.ts";
import { Pauses } from "./pauses.ts";
import { HANGING, SendBudget } from "./send-budget.ts";
import { Turns } from "./turns.ts";

/**
 * Who goes next: one lane per endpoint with a cap of requests under way, tenants and their lanes in turn, one budget over
 * all of them, a cap for each host and a rate for some endpoints. A lane whose requests hang costs the others nothing: what
 * hangs leaves the budget, and what waits behind it can be taken out and put off. A pure structure: the caller says what
 * time it is.
 */
export class Lanes<T> {
  readonly #options: LaneOptions<T>;
  readonly #lanes = new Map<string, Lane<T>>();
  readonly #flights = new Bag<Flight<T>>();
  readonly #hosts: Hosts<T>;
  /** Before all that is quick, those whose next goes first. */
  readonly #readyFirst = new Turns<Lane<T>>();
  readonly #readyQuick = new Turns<Lane<T>>();
  readonly #readySlow = new Turns<Lane<T>>();
  readonly #quick: SendBudget<Lane<T>>;
  readonly #slow: SendBudget<Lane<T>>;
  /** Those that wait for their rate. */
  readonly #paused = new Pauses<Lane<T>>();
  #tickedAt = 0;
  readonly #loads = new Loads();

  constructor(options: LaneOptions<T>) {
    this.#options = options;
    const { maxQuick, maxSlow, maxBytes: bytes } = options;
    this.#slow = new SendBudget({ requests: maxSlow, bytes });
    this.#quick = new SendBudget({ requests: maxQuick, bytes }, () => this.#slow.bytes >= HANGING * bytes);
    this.#hosts = new Hosts(options.maxPerHost);
  }

  /** Items of a kind that wait, and those whose requests use its budget. */
  load(kind: string): number {
    return this.#loads.count(kind);
  }

  /** Their bytes. */
  bytes(kind: string): number {
    return this.#loads.bytes(kind);
  }

  /** When a lane that waits for its rate may go on; infinite when none does. */
  get resumeAt(): number {
    return this.#paused.resumeAt;
  }

  /** The requests that are under way. */
  flights(): Flight<T>[] {
    return this.#flights.all();
  }

  state(key: string): LaneState | undefined {
    return this.#lanes.get(key);
  }

  /** All lanes there are, with what is under way and what waits in them. */
  states(): Iterable<LaneState & { waiting: readonly unknown[] }> {
    return this.#lanes.values();
  }

  /** Keys that have as much under way or waiting as they may. */
  busyKeys(): string[] {
    const busy: string[] = [];
    for (const lane of this.#lanes.values())
      if (lane.inFlight + lane.waiting.length >= roomOf(lane)) busy.push(lane.key);
    return busy;
  }

  add(of: LaneOf, item: T, now: number): void {
    const lane = this.#lanes.get(of.key) ?? openLane<T>(of);
    this.#lanes.set(of.key, lane);
    lane.cap = of.cap;
    lane.perSecond = of.perSecond;
    if (lane.host !== of.host || lane.inFlight >= of.cap) this.#leavePlace(lane);
    lane.host = of.host;
    const waiting = { item, bytes: this.#options.bytesOf(item), since: now };
    // Where a lane stands depends on what it starts next.
    if (queueIn(lane, waiting, this.#options.goesFirst)) this.#leavePlace(lane);
    if (of.perSecond !== null && lane.waiting.length > Math.max(1, of.perSecond)) lane.isCrowded = true;
    this.#loads.add(this.#options.kindOf(item), waiting.bytes);
    this.#enlist(lane);
  }

  /** The next item that may start now, or `undefined`: what goes first before others. Tenants take turns, and so do their lanes. */
  start(now: number): Flight<T> | undefined {
    for (const lane of this.#paused.takeDue(now)) this.#letOn(lane);
    return (
      this.#startFrom(this.#readyFirst, this.#quick, now) ??
      this.#startFrom(this.#readyQuick, this.#quick, now) ??
      this.#startFrom(this.#readySlow, this.#slow, now)
    );
  }

  /** A request has ended; gives false when it had been given up before. */
  end(flight: Flight<T>, now: number): boolean {
    if (!this.#flights.delete(flight)) return false;
    const { lane, item, bytes } = flight;
    lane.inFlight--;
    lane.movedAt = now;
    if (this.#isOfSlowKind(item)) {
      this.#slow.give(bytes);
      this.#uncount(flight);
    } else if (flight.isSlow) this.#slow.carry(-bytes);
    else {
      this.#quick.give(bytes);
      this.#uncount(flight);
    }
    const wasHanging = lane.isHanging;
    lane.isHanging = this.#isLong(flight, now);
    lane.isCrowded ||= wasHanging && !lane.isHanging;
    this.#letOn(this.#hosts.end(flight.host));
    this.#enlist(lane);
    return true;
  }

  /** Notes what has become slow. To be called a few times per `slowAfterMs`. */
  tick(now: number): void {
    // When the whole process has stood still, nothing has ended in any lane.
    const isLate = now - this.#tickedAt > 2 * this.#options.stalledAfterMs;
    this.#tickedAt = now;
    for (const flight of this.#flights.all())
      if (!flight.isSlow && this.#isLong(flight, now)) this.#becomesSlow(flight);
    for (const lane of this.#lanes.values()) {
      const isKept = lane.place === this.#paused || lane.place === this.#hosts.lineOf(lane);
      if (!judge(lane, { now, isKept: lane.place !== undefined && isKept, isLate, patience: this.#options }))
        this.#lanes.delete(lane.key);
    }
    for (const lane of this.#hosts.tick()) this.#letOn(lane);
  }

  /**
   * Takes out what waits and is chosen, of all lanes or of that of `key`; `position` is its place in its lane, from 0.
   */
  takeOut(chosen: (item: T, lane: LaneState, position: number) => boolean, key?: string): T[] {
    const out: Waiting<T>[] = [];
    const only = key === undefined ? undefined : this.#lanes.get(key);
    for (const lane of key === undefined ? this.#lanes.values() : only ? [only] : []) {
      const staying: Waiting<T>[] = [];
      for (const [position, each] of lane.waiting.entries()) {
        if (chosen(each.item, lane, position)) out.push(each);
        else staying.push(each);
      }
      if (staying.length === lane.waiting.length) continue;
      lane.waiting = staying;
      this.#leavePlace(lane);
      this.#enlist(lane);
    }
    for (const each of out) this.#uncount(each);
    return out.map(({ item }) => item);
  }

  #startFrom(ready: Turns<Lane<T>>, budget: SendBudget<Lane<T>>, now: number): Flight<T> | undefined {
    while (budget.hasRoom) {
      const large = budget.line.first;
      const isLarge = large?.waiting[0] !== undefined && budget.fits(large.waiting[0].bytes);
      const lane = isLarge ? budget.line.shift() : ready.shift();
      const next = lane?.waiting[0];
      if (!lane || !next) return undefined;
      const place = this.#placeToWait(lane, isLarge ? 0 : next.bytes, budget, now);
      lane.place = place;
      place?.push(lane);
      if (!place) return this.#begin(lane, budget, now);
    }
    return undefined;
  }

  /** Where a lane has to wait although it is its turn; `undefined`: it may start something. */
  #placeToWait(lane: Lane<T>, bytes: number, budget: SendBudget<Lane<T>>, now: number) {
    const line = this.#hosts.lineOf(lane);
    if (line) return line;
    if (budget.mustWait(bytes)) return budget.line;
    const waitMs = lane.perSecond === null ? 0 : this.#options.takeFromRate(lane);
    if (waitMs <= 0) return undefined;
    lane.pausedUntil = now + waitMs;
    return this.#paused;
  }

  #begin(lane: Lane<T>, budget: SendBudget<Lane<T>>, now: number): Flight<T> {
    const { item, bytes } = lane.waiting.shift() as Waiting<T>;
    if (lane.inFlight++ === 0) lane.movedAt = now;
    this.#hosts.begin(lane.host);
    budget.take(bytes);
    this.#enlist(lane);
    const flight = { item, bytes, lane, host: lane.host, startedAt: now, isSlow: false, at: -1 };
    this.#flights.add(flight);
    return flight;
  }

  #becomesSlow(flight: Flight<T>): void {
    flight.isSlow = true;
    flight.lane.isHanging = true;
    if (this.#isOfSlowKind(flight.item)) return;
    this.#quick.give(flight.bytes);
    this.#slow.carry(flight.bytes);
    this.#uncount(flight);
  }

  #isOfSlowKind(item: T): boolean {
    return this.#options.kindOf(item) === this.#options.slowKind;
  }

  #isLong(flight: Flight<T>, now: number): boolean {
    return now - flight.startedAt >= this.#options.slowAfterMs;
  }

  #uncount({ item, bytes }: { item: T; bytes: number }): void {
    this.#loads.remove(this.#options.kindOf(item), bytes);
  }

  #leavePlace(lane: Lane<T>): void {
    lane.place?.delete(lane);
    lane.place = undefined;
  }

  #letOn(lane: Lane<T> | undefined): void {
    if (!lane) return;
    lane.place = undefined;
    this.#enlist(lane);
  }

  /** Puts a lane that has something to start, and may, at the end of the list for what it starts next. */
  #enlist(lane: Lane<T>): void {
    const [next] = lane.waiting;
    if (lane.place || !next || lane.inFlight >= lane.cap) return;
    const isFirst = this.#options.goesFirst(next.item);
    if (this.#isOfSlowKind(next.item)) lane.place = this.#readySlow;
    else lane.place = isFirst ? this.#readyFirst : this.#readyQuick;
    lane.place.push(lane);
  }
}
