import { MAX_CHUNK } from "#server/queue/queues.ts";

const MAX_JOBS = 200;

/**
 * How many jobs to take so that their deliveries fill the room there is. Nobody knows how large a job is before it is
 * taken: this starts with large ones, and takes more at a time only after it was given as many small ones as it took.
 */
export class FetchSize {
  #perJob = MAX_CHUNK;
  #limit = 1;

  /** Jobs to take for so many deliveries. */
  for(room: number): number {
    const bold = Math.max(this.#limit, Math.ceil(room / MAX_CHUNK));
    return Math.max(0, Math.min(MAX_JOBS, bold, Math.ceil(room / this.#perJob)));
  }

  /** To be told what came of it. */
  learn(taken: { asked: number; jobs: number; deliveries: number }): void {
    if (taken.jobs === 0) return;
    this.#perJob = Math.max(1, taken.deliveries / taken.jobs);
    this.#limit = taken.jobs < taken.asked ? 1 : Math.min(MAX_JOBS, 2 * taken.asked);
  }
}
