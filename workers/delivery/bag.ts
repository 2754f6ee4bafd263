/** What can be in a bag. */
export interface InBag {
  /** Its place there; the bag's own business. */
  at: number;
}

/**
 * Things in no order, of which each knows its place. For what comes and goes with every request, in place of a `Set`: as a
 * Set makes itself a new table, the old one goes on pointing to what it held and to the new one. Once such a table has been
 * moved to the old generation, everything that ever was in a later one stays in memory until all of it is looked through.
 */
export class Bag<T extends InBag> {
  readonly #items: T[] = [];

  get size(): number {
    return this.#items.length;
  }

  add(item: T): void {
    item.at = this.#items.push(item) - 1;
  }

  /** Gives false when it is not in the bag. */
  delete(item: T): boolean {
    if (this.#items[item.at] !== item) return false;
    const last = this.#items.pop();
    if (last && last !== item) {
      this.#items[item.at] = last;
      last.at = item.at;
    }
    return true;
  }

  /** What is in it now. */
  all(): T[] {
    return this.#items.slice();
  }
}
