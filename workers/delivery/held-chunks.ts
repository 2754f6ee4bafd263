import type { DeliveryQueue } from "#server/queue/queues.ts";
import type { Chunk } from "./types.ts";

/** The jobs that this worker knows it holds. What its claims name beyond them it has never heard of. */
export class HeldChunks {
  readonly #chunks = new Map<string, Chunk>();

  get size(): number {
    return this.#chunks.size;
  }

  get ids(): string[] {
    return [...this.#chunks.keys()];
  }

  /** Whether any of them is of that queue. */
  has(queue: DeliveryQueue): boolean {
    return [...this.#chunks.values()].some((chunk) => chunk.queue === queue);
  }

  /** Adds jobs that were taken. One that comes a second time had expired here: what is left of it is lost. */
  add(chunks: readonly Chunk[]): void {
    for (const chunk of chunks) {
      const earlier = this.#chunks.get(chunk.id);
      if (earlier) earlier.isLost = true;
      this.#chunks.set(chunk.id, chunk);
    }
  }

  /** Forgets jobs that are done. */
  delete(chunks: readonly Chunk[]): void {
    for (const chunk of chunks) if (this.#chunks.get(chunk.id) === chunk) this.#chunks.delete(chunk.id);
  }

  /** Only these are still ours; gives how many were lost. */
  keep(ids: ReadonlySet<string>): number {
    let lost = 0;
    for (const [id, chunk] of this.#chunks) {
      if (ids.has(id)) continue;
      chunk.isLost = true;
      this.#chunks.delete(id);
      lost++;
    }
    return lost;
  }
}
