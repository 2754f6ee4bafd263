/** Keeps what was asked for last, up to a total weight in a unit of the user's choice. */
export class BoundedCache<V> {
  /** The one that was not asked for the longest comes first. */
  readonly #kept = new Map<string, { value: V; weight: number }>();
  readonly #maxWeight: number;
  #weight = 0;

  constructor(maxWeight: number) {
    this.#maxWeight = maxWeight;
  }

  /** The value of a key; made when it is not there. What is heavier than all that may be kept is not kept. */
  get(key: string, weight: number, make: () => V): V {
    const kept = this.#kept.get(key);
    if (kept) {
      this.#kept.delete(key);
      this.#kept.set(key, kept);
      return kept.value;
    }
    const value = make();
    if (weight > this.#maxWeight) return value;
    this.#kept.set(key, { value, weight });
    this.#weight += weight;
    for (const [oldest, { weight: freed }] of this.#kept) {
      if (this.#weight <= this.#maxWeight) break;
      this.#kept.delete(oldest);
      this.#weight -= freed;
    }
    return value;
  }
}
