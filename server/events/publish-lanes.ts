import { isConnectionError } from "#db/client.ts";
import { AppError } from "../errors.ts";
import { type EventInput, type PublishContext, type Published, publishEvents } from "./publish-events.ts";

type Inputs = readonly (EventInput | AppError)[];
type Outcomes = (Published | AppError)[];

interface Waiting {
  inputs: Inputs;
  done: PromiseWithResolvers<Outcomes>;
}

/** How many events are committed together at most, unless one request brings more by itself. */
const MAX_TOGETHER = 200;

/** How many events of a tenant may wait; beyond that the database is not keeping up, and waiting longer would not help. */
const MAX_WAITING = 5_000;

/**
 * Publishes what comes in at the same time in one transaction. A tenant's commits follow each other anyway, since each
 * holds the counter of the sequence; so who comes while one is under way waits for it and shares the next. Alone, an
 * event does not wait at all.
 */
export class PublishLanes {
  /** What waits, by tenant; a tenant is here while a transaction of it is under way. */
  readonly #lanes = new Map<string, Waiting[]>();

  /** As `publishEvents`, not atomic; resolves once the events are committed. 503 when too many wait already. */
  async publish(ctx: PublishContext, inputs: Inputs): Promise<Outcomes> {
    const waiting: Waiting = { inputs, done: Promise.withResolvers() };
    const lane = this.#lanes.get(ctx.tenantId);
    if (lane && countEvents(lane) >= MAX_WAITING)
      throw new AppError("unavailable", "More events are coming in than can be stored just now.");
    if (lane) lane.push(waiting);
    else void this.#run(ctx, [waiting]);
    return waiting.done.promise;
  }

  async #run(ctx: PublishContext, lane: Waiting[]): Promise<void> {
    this.#lanes.set(ctx.tenantId, lane);
    while (lane.length > 0) await settle(ctx, takeGroup(lane));
    this.#lanes.delete(ctx.tenantId);
  }
}

const countEvents = (lane: readonly Waiting[]) => lane.reduce((sum, { inputs }) => sum + inputs.length, 0);

/** Takes the requests of the next transaction, in the order they came. */
function takeGroup(lane: Waiting[]): Waiting[] {
  let events = 0;
  const full = lane.findIndex(({ inputs }, at) => {
    events += inputs.length;
    return at > 0 && events > MAX_TOGETHER;
  });
  return lane.splice(0, full < 0 ? lane.length : full);
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
