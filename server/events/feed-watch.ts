import type { Db } from "#db/client.ts";
import { listLastSequences } from "#db/queries/events.ts";

interface Waiter {
  after: bigint;
  wake(): void;
}

const LOOK_MS = 100;
const MAX_WAITING = 1_000;

/**
 * Wakes readers of feeds when there is something new. However many wait, one query every 100 ms looks for all of them;
 * a reader that waits holds no connection, and while nobody waits nothing is asked.
 */
export class FeedWatch {
  readonly #db: Db;
  readonly #waiting = new Map<string, Set<Waiter>>();
  #count = 0;
  #isLooking = false;

  constructor(db: Db) {
    this.#db = db;
  }

  /** How many readers wait. */
  get waiting(): number {
    return this.#count;
  }

  /**
   * Resolves when the tenant has an event after `after`, when `waitMs` are over, or when `signal` aborts. It also
   * resolves when the database cannot be asked: whoever reads next will see why. `false`, and at once, when too many
   * wait already.
   */
  async wait(tenantId: string, after: string, waitMs: number, signal: AbortSignal): Promise<boolean> {
    if (this.#count >= MAX_WAITING) return false;
    if (signal.aborted) return true;
    const { promise, resolve } = Promise.withResolvers<void>();
    const wake = () => resolve();
    const waiter = { after: BigInt(after), wake };
    const timer = setTimeout(wake, waitMs);
    signal.addEventListener("abort", wake);
    this.#add(tenantId, waiter);
    await promise;
    clearTimeout(timer);
    signal.removeEventListener("abort", wake);
    this.#remove(tenantId, waiter);
    return true;
  }

  #add(tenantId: string, waiter: Waiter): void {
    const waiters = this.#waiting.get(tenantId) ?? new Set();
    this.#waiting.set(tenantId, waiters.add(waiter));
    this.#count++;
    if (!this.#isLooking) void this.#look();
  }

  #remove(tenantId: string, waiter: Waiter): void {
    const waiters = this.#waiting.get(tenantId);
    waiters?.delete(waiter);
    if (waiters?.size === 0) this.#waiting.delete(tenantId);
    this.#count--;
  }

  async #look(): Promise<void> {
    this.#isLooking = true;
    while (this.#count > 0) {
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
      await this.#wakeThoseBehind();
    }
    this.#isLooking = false;
  }

  async #wakeThoseBehind(): Promise<void> {
    const tenantIds = [...this.#waiting.keys()];
    if (tenantIds.length === 0) return;
    try {
      for (const { tenantId, last } of await listLastSequences(this.#db, tenantIds))
        for (const waiter of this.#waiting.get(tenantId) ?? [])
          if (BigInt(last) > waiter.after) waiter.wake();
    } catch {
      for (const waiters of this.#waiting.values()) for (const waiter of waiters) waiter.wake();
    }
  }
}
