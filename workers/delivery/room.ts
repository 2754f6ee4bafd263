import { type DeliveryQueue, QUEUES } from "#server/queue/queues.ts";
import type { Dispatcher } from "./dispatcher.ts";
import type { HeldChunks } from "./held-chunks.ts";
import type { Intake } from "./intake.ts";
import type { RunEnd } from "./poller.ts";
import { MAX_BYTES_HELD, MAX_HELD } from "./queue-shares.ts";
import type { Settler } from "./settler.ts";

const SUSPECT = QUEUES.deliverSuspect.name;
const MAX_UNWRITTEN = 2_000;
const GATHER_MS = 25;

export interface RoomDeps {
  dispatcher: Pick<Dispatcher, "load" | "bytes">;
  held: Pick<HeldChunks, "has">;
  intake: Pick<Intake, "bytesPerDelivery">;
  settler: Pick<Settler, "pending">;
}

/** How much more a worker takes of each queue. */
export class Room {
  readonly #deps: RoomDeps;

  constructor(deps: RoomDeps) {
    this.#deps = deps;
  }

  /** More results wait to be written than there should be: nothing is taken. */
  get isChoked(): boolean {
    return this.#deps.settler.pending > MAX_UNWRITTEN;
  }

  /** Deliveries, until it holds so many times its share. */
  for(queue: DeliveryQueue, shares = 1): number {
    const { dispatcher, held, intake } = this.#deps;
    // The next one only when the one before is written: should the worker go with it, nobody else is held responsible.
    if (queue === SUSPECT && held.has(SUSPECT)) return 0;
    if (this.isChoked) return 0;
    const bytes = shares * MAX_BYTES_HELD - dispatcher.bytes(queue);
    const byBytes = Math.ceil(bytes / intake.bytesPerDelivery);
    return Math.max(0, Math.min(shares * MAX_HELD[queue] - dispatcher.load(queue), byBytes));
  }

  /** A run that took what there was room for; few jobs cost the database as much as many, so there is much room before the next. */
  endOf(queue: DeliveryQueue, end: RunEnd): RunEnd {
    return end === "more" && !this.isHalfEmpty(queue) ? "full" : end;
  }

  /** For how long work may come together before any is taken: who has plenty in hand does not miss it. */
  gatherMs(queue: DeliveryQueue): number {
    return this.isHalfEmpty(queue) ? 0 : GATHER_MS;
  }

  isHalfEmpty(queue: DeliveryQueue): boolean {
    const { dispatcher } = this.#deps;
    return dispatcher.load(queue) < MAX_HELD[queue] / 2 && dispatcher.bytes(queue) < MAX_BYTES_HELD / 2;
  }
}
