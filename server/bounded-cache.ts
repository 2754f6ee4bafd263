/** Keeps what was used last, up to a total weight in a unit of the user's choice. */
export class BoundedCache<V> {
  /** The one that was not used the longest comes first. */
  readonly #kept = new Map<string, { value: V; weight: number }>();
  readonly #maxWeight: number;
  #weight = 0;

  constructor(maxWeight: number) {
    this.#maxWeight = maxWeight;
  }

  get(key: string): V | undefined {
    const kept = this.#kept.get(key);
    if (!kept) return undefined;
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    return kept.value;
  }

  /** Keeps a value, and drops others to make room. What is heavier than all that may be kept is not kept. */
  set(key: string, value: V, weight: number): void {
    this.#drop(key);
    if (weight > this.#maxWeight) return;
    this.#kept.set(key, { value, weight });
    this.#weight += weight;
    for (const oldest of this.#kept.keys()) {
      if (this.#weight <= this.#maxWeight) break;
      this.#drop(oldest);
    }
  }

  #drop(key: string): void {
    this.#weight -= this.#kept.get(key)?.weight ?? 0;
    this.#kept.delete(key);
  }
}
