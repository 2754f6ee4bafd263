import { Line } from "./turns.ts";

/** Those that wait until a time of their own. */
export class Pauses<L extends { readonly pausedUntil: number }> {
  readonly #line = new Line<L>();
  #resumeAt = Number.POSITIVE_INFINITY;

  /** When the first of them may have waited long enough; infinite when nobody waits. */
  get resumeAt(): number {
    return this.#resumeAt;
  }

  push(lane: L): void {
    this.#line.push(lane);
    this.#resumeAt = Math.min(this.#resumeAt, lane.pausedUntil);
  }

  delete(lane: L): void {
    this.#line.delete(lane);
  }

  /** Takes out those that have waited long enough. */
  takeDue(now: number): L[] {
    if (now < this.#resumeAt) return [];
    const all = [...this.#line];
    const due = all.filter((lane) => lane.pausedUntil <= now);
    for (const lane of due) this.#line.delete(lane);
    const left = all.filter((lane) => lane.pausedUntil > now);
    this.#resumeAt = Math.min(Number.POSITIVE_INFINITY, ...left.map((lane) => lane.pausedUntil));
    return due;
  }
}
