/** Times within so many milliseconds of each other count as one. */
const GRAIN_MS = 10;
const MAX_TIMES = 50_000;

/** A set of moments to come, of which the soonest is known at any time. A binary heap; no moment is in it twice. */
export class DueTimes {
  readonly #heap: number[] = [];
  readonly #known = new Set<number>();

  /** The soonest, in milliseconds since the epoch; infinite when there is none. */
  get soonest(): number {
    return this.#heap[0] ?? Number.POSITIVE_INFINITY;
  }

  /** Notes a moment, rounded up by a few milliseconds. Beyond 50,000 of them it is not noted. */
  add(atMs: number): void {
    const at = Math.ceil(atMs / GRAIN_MS) * GRAIN_MS;
    if (this.#known.has(at) || this.#heap.length >= MAX_TIMES) return;
    this.#known.add(at);
    this.#rise(this.#heap.push(at) - 1);
  }

  /** Forgets every moment up to `now`. */
  pass(now: number): void {
    while (this.soonest <= now) {
      this.#known.delete(this.soonest);
      const last = this.#heap.pop();
      if (last === undefined || this.#heap.length === 0) return;
      this.#heap[0] = last;
      this.#sink(0);
    }
  }

  #at(index: number): number {
    return this.#heap[index] ?? Number.POSITIVE_INFINITY;
  }

  #rise(from: number): void {
    let index = from;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (this.#at(parent) <= this.#at(index)) return;
      this.#swap(index, parent);
      index = parent;
    }
  }

  #sink(from: number): void {
    let index = from;
    for (;;) {
      const left = 2 * index + 1;
      const child = this.#at(left + 1) < this.#at(left) ? left + 1 : left;
      if (this.#at(index) <= this.#at(child)) return;
      this.#swap(index, child);
      index = child;
    }
  }

  #swap(a: number, b: number): void {
    [this.#heap[a], this.#heap[b]] = [this.#at(b), this.#at(a)];
  }
}
