import { Line } from "./turns.ts";

/** Those that wait until a time of their own. */
export class Pauses<L extends { readonly pausedUntil: number }> extends Line<L> {
  #resumeAt = Number.POSITIVE_INFINITY;

  /** When the first of them may have waited long enough; infinite when nobody waits. */
  get resumeAt(): number {
    return this.#resumeAt;
  }

  override push(lane: L): void {
    super.push(lane);
    this.#resumeAt = Math.min(this.#resumeAt, lane.pausedUntil);
  }

  /** Takes out those that have waited long enough. */
  takeDue(now: number): L[] {
    if (now < this.#resumeAt) return [];
    const due = [...this].filter((lane) => lane.pausedUntil <= now);
    for (const lane of due) this.delete(lane);
    this.#resumeAt = Math.min(...[...this].map((lane) => lane.pausedUntil));
    return due;
  }
}
