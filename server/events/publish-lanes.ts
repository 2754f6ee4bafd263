import { setImmediate } from "node:timers/promises";
import { isConnectionError } from "#db/database-errors.ts";
import { AppError } from "../errors.ts";
import { type EventInput, type PublishContext, type Published, publishEvents } from "./publish-events.ts";

type Inputs = readonly (EventInput | AppError)[];
type Outcomes = (Published | AppError)[];

interface Waiting {
  inputs: Inputs;
  characters: number;
  done: PromiseWithResolvers<Outcomes>;
}

/** What a tenant publishes. */
interface Lane {
  /** In the order they came. */
  waiting: Waiting[];
  /** Of those that wait. */
  events: number;
  characters: number;
  /** Transactions that run, or are about to. */
  underWay: number;
  /** As many events as went into the last of them, or may go into the one that is about to run. */
  lastSize: number;
}

/** How many events are committed together at most, unless one request brings more by itself. */
const MAX_TOGETHER = 200;

/**
 * A group as large as the one before it gains little by waiting for it to end: whoever may come is waiting already. Its
 * work goes on until it needs the counter, while the other is written to the disk.
 */
const MAX_UNDER_WAY = 2;

/** How much of a tenant, and of all, may wait; beyond that the database is not keeping up, and waiting longer would not help. */
const MAX_WAITING = { events: 5_000, characters: 16 * 1024 * 1024 };
const MAX_CHARACTERS_OF_ALL = 64 * 1024 * 1024;

/**
 * Publishes what comes in at the same time in one transaction. A tenant's commits follow each other anyway, since each
 * holds the counter of the sequence; so who comes while one is under way waits for it and shares the next. Alone, an
 * event does not wait at all.
 */
export class PublishLanes {
  /** By tenant; only those with something under way. */
  readonly #lanes = new Map<string, Lane>();
  #characters = 0;

  /** As `publishEvents`, not atomic; resolves once the events are committed. 503 when too many wait already. */
  async publish(ctx: PublishContext, inputs: Inputs): Promise<Outcomes> {
    const lane = this.#lanes.get(ctx.tenantId) ?? newLane();
    const characters = inputs.reduce((sum, input) => sum + ("data" in input ? input.data.length : 0), 0);
    if (lane.waiting.length > 0 && this.#isFull(lane, characters))
      throw new AppError("unavailable", "More events are coming in than can be stored just now.");
    const waiting: Waiting = { inputs, characters, done: Promise.withResolvers() };
    lane.waiting.push(waiting);
    this.#count(lane, waiting, 1);
    this.#lanes.set(ctx.tenantId, lane);
    this.#advance(ctx, lane);
    return waiting.done.promise;
  }

  #isFull(lane: Lane, characters: number): boolean {
    return (
      lane.events >= MAX_WAITING.events ||
      lane.characters + characters > MAX_WAITING.characters ||
      this.#characters + characters > MAX_CHARACTERS_OF_ALL
    );
  }

  #count(lane: Lane, { inputs, characters }: Waiting, sign: 1 | -1): void {
    lane.events += sign * inputs.length;
    lane.characters += sign * characters;
    this.#characters += sign * characters;
  }

  /** Begins a transaction if it is time for one. */
  #advance(ctx: PublishContext, lane: Lane): void {
    const isTime =
      lane.underWay === 0
        ? lane.waiting.length > 0
        : lane.underWay < MAX_UNDER_WAY && lane.events >= lane.lastSize;
    if (!isTime) return;
    lane.underWay++;
    lane.lastSize = MAX_TOGETHER;
    void this.#run(ctx, lane);
  }

  async #run(ctx: PublishContext, lane: Lane): Promise<void> {
    // What the same look at the sockets has brought comes along.
    await setImmediate();
    const group = takeGroup(lane.waiting);
    for (const waiting of group) this.#count(lane, waiting, -1);
    if (group.length > 0) {
      lane.lastSize = Math.min(MAX_TOGETHER, countEvents(group));
      this.#advance(ctx, lane);
      await settle(ctx, group);
    }
    lane.underWay--;
    if (lane.underWay === 0 && lane.waiting.length === 0) this.#lanes.delete(ctx.tenantId);
    else this.#advance(ctx, lane);
  }
}

const newLane = (): Lane => ({ waiting: [], events: 0, characters: 0, underWay: 0, lastSize: 0 });

const countEvents = (group: readonly Waiting[]) => group.reduce((sum, { inputs }) => sum + inputs.length, 0);

/** Takes the requests of the next transaction, in the order they came. */
function takeGroup(waiting: Waiting[]): Waiting[] {
  let events = 0;
  const full = waiting.findIndex(({ inputs }, at) => {
    events += inputs.length;
    return at > 0 && events > MAX_TOGETHER;
  });
  return waiting.splice(0, full < 0 ? waiting.length : full);
}

/** Never rejects: each request hears of its own outcome. */
async function settle(ctx: PublishContext, group: readonly Waiting[]): Promise<void> {
  try {
    const outcomes = await publishEvents(
      ctx,
      group.flatMap(({ inputs }) => inputs),
      { atomic: false },
    );
    let next = 0;
    for (const { inputs, done } of group) {
      done.resolve(outcomes.slice(next, next + inputs.length));
      next += inputs.length;
    }
  } catch (error) {
    const [only, ...others] = group;
    if (others.length === 0 || isConnectionError(error)) {
      for (const { done } of group) done.reject(error);
      return;
    }
    // One request that cannot be stored must not take the others with it.
    for (const waiting of [only, ...others]) if (waiting) await settle(ctx, [waiting]);
  }
}
