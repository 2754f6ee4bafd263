import type { Logger } from "#server/log/logger.ts";

const AFTER_ERROR_MS = 250;

/** How a run ended: there is more to do at once, there is no room for more, or there was nothing left. */
export type RunEnd = "more" | "full" | "idle";

/**
 * Runs one task again and again, never two at once: every `intervalMs`, sooner when kicked or at a set time, and at
 * once again while it says that there is more to do. An error is logged and costs a pause.
 */
export class Poller {
  readonly #intervalMs: number;
  readonly #run: () => Promise<RunEnd>;
  readonly #log: Logger;
  #timer: NodeJS.Timeout | undefined;
  #dueAt = Number.POSITIVE_INFINITY;
  #running: Promise<void> | undefined;
  #kicked = false;
  #full = false;
  /** A time set while a run was under way. */
  #later = Number.POSITIVE_INFINITY;
  #stopped = true;

  constructor(intervalMs: number, run: () => Promise<RunEnd>, log: Logger) {
    this.#intervalMs = intervalMs;
    this.#run = run;
    this.#log = log;
  }

  start(): void {
    this.#stopped = false;
    this.kick();
  }

  /** Runs as soon as possible: now, or once more after the present run. */
  kick(): void {
    if (this.#stopped) return;
    if (this.#running !== undefined) this.#kicked = true;
    else this.#begin();
  }

  /** Runs at that time, if it is not due earlier anyway. */
  kickAt(at: Date): void {
    if (this.#running !== undefined) this.#later = Math.min(this.#later, at.getTime());
    else if (!this.#stopped) this.#scheduleAt(Math.min(this.#dueAt, at.getTime()));
  }

  /** Runs now if the last run ended for want of room. */
  resume(): void {
    if (this.#full) this.kick();
  }

  /** Ends the repetition; settles when the present run has ended. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#running;
  }

  #begin(): void {
    clearTimeout(this.#timer);
    this.#dueAt = Number.POSITIVE_INFINITY;
    this.#kicked = false;
    this.#full = false;
    this.#running = this.#once();
  }

  async #once(): Promise<void> {
    let waitMs = this.#intervalMs;
    let end: RunEnd = "idle";
    try {
      end = await this.#run();
    } catch (error) {
      this.#log.error({ err: error }, "background run failed");
      waitMs = Math.max(AFTER_ERROR_MS, this.#intervalMs);
    }
    this.#running = undefined;
    this.#full = end === "full";
    if (this.#stopped) return;
    if (this.#kicked || end === "more") this.#begin();
    else this.#scheduleAt(Math.min(Date.now() + waitMs, this.#later));
    this.#later = Number.POSITIVE_INFINITY;
  }

  #scheduleAt(at: number): void {
    clearTimeout(this.#timer);
    this.#dueAt = at;
    this.#timer = setTimeout(() => this.#begin(), Math.max(0, at - Date.now()));
  }
}
