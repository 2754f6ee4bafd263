import { performance } from "node:perf_hooks";
import { Bag } from "./bag.ts";
import type { Exchange } from "./exchange.ts";

const LOOK_EVERY_MS = 50;

/**
 * Keeps the deadlines of every exchange under way, 50 ms late at most. One timer for all of them, and none while
 * there are none: a timer for each costs the hot path more.
 */
export class Watch {
  readonly #exchanges = new Bag<Exchange>();
  #timer: NodeJS.Timeout | null = null;

  get size(): number {
    return this.#exchanges.size;
  }

  add(exchange: Exchange): void {
    this.#exchanges.add(exchange);
    // setImmediate: what has arrived by then is read first; a busy event loop is not the peer's fault.
    this.#timer ??= setInterval(() => setImmediate(() => this.#look()), LOOK_EVERY_MS);
  }

  delete(exchange: Exchange): void {
    this.#exchanges.delete(exchange);
  }

  #look(): void {
    const now = performance.now();
    for (const exchange of this.#exchanges.all()) exchange.expireAt(now);
    if (this.#exchanges.size > 0 || !this.#timer) return;
    clearInterval(this.#timer);
    this.#timer = null;
  }
}
