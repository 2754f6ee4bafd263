import type { Logger } from "#server/log/logger.ts";

/** What the database said its time is, and how long it took to ask. */
export interface ClockSample {
  /** Milliseconds since the epoch, by the database. */
  databaseMs: number;
  /** By this machine, when the answer had come. */
  localMs: number;
  tookMs: number;
}

/** So much is put down to how a question travels: below it this machine's clock is as good as the database's. */
const TOLERANCE_MS = 1_000;
const WARN_FROM_MS = 5_000;
const WARN_EVERY_MS = 600_000;

/**
 * The time of day for what others rely on: signatures, which receivers take for five minutes, and the times of retries,
 * which are due by the database's clock. It is this machine's, corrected by the database's where they differ by more
 * than a second: one machine whose clock is wrong must not make its deliveries fail.
 */
export class DatabaseClock {
  readonly #local: () => number;
  #offsetMs = 0;
  #skewMs = 0;
  #warnedAt = Number.NEGATIVE_INFINITY;

  constructor(local: () => number = Date.now) {
    this.#local = local;
  }

  /** Milliseconds since the epoch. */
  now(): number {
    return this.#local() + this.#offsetMs;
  }

  /** How far this machine's clock is ahead of the database's, as of the last question; negative when it is behind. */
  get skewMs(): number {
    return this.#skewMs;
  }

  /** Asks the database, by a function that gives its time. */
  async ask(question: () => Promise<number>, log: Logger): Promise<void> {
    const beganAt = performance.now();
    const databaseMs = await question();
    this.learn({ databaseMs, localMs: this.#local(), tookMs: performance.now() - beganAt });
    if (Math.abs(this.#skewMs) < WARN_FROM_MS || performance.now() - this.#warnedAt < WARN_EVERY_MS) return;
    this.#warnedAt = performance.now();
    log.warn({ skewMs: Math.round(this.#skewMs) }, "this machine's clock is wrong; the database's is used");
  }

  learn({ databaseMs, localMs, tookMs }: ClockSample): void {
    // The database answered at some moment of the question.
    const skewMs = localMs - tookMs / 2 - databaseMs;
    this.#skewMs = skewMs;
    const isOff = Math.abs(skewMs) > TOLERANCE_MS + tookMs / 2;
    // What is known stays where a question that took long says no better.
    if (isOff) this.#offsetMs = -skewMs;
    else if (tookMs < TOLERANCE_MS) this.#offsetMs = 0;
  }
}
