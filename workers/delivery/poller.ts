import type { Logger } from "#server/log/logger.ts";
import { DueTimes } from "./due-times.ts";

const AFTER_ERROR_MS = 250;

/** How a run ended: there is more to do at once, there is no room for more, or there was nothing left. */
export type RunEnd = "more" | "full" | "idle";

/**
 * Runs one task again and again, never two at once: every `intervalMs`, sooner when kicked or at set times, and at
 * once again while it says that there is more to do. An error is logged and costs a pause.
 */
export class Poller {
  readonly #intervalMs: number;
  readonly #run: () => Promise<RunEnd>;
  readonly #log: Logger;
  readonly #times = new DueTimes();
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  /** When it runs next if nothing else happens. */
  #floor = Number.POSITIVE_INFINITY;
  #kicked = false;
  #full = false;
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

  /** Runs within so many milliseconds; with none as soon as possible. */
  kickWithin(ms: number): void {
    if (ms > 0) this.kickAt(new Date(Date.now() + ms));
    else this.kick();
  }

  /** Runs at that time too. */
  kickAt(at: Date): void {
    this.#times.add(at.getTime());
    if (this.#running === undefined && !this.#stopped) this.#schedule();
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
    this.#kicked = false;
    this.#full = false;
    this.#times.pass(Date.now());
    this.#running = this.#once();
  }

  async #once(): Promise<void> {
    let end: RunEnd | "error";
    try {
      end = await this.#run();
    } catch (error) {
      this.#log.error({ err: error }, "background run failed");
      end = "error";
    }
    this.#running = undefined;
    this.#full = end === "full";
    if (this.#stopped) return;
    this.#floor =
      Date.now() + (end === "error" ? Math.max(AFTER_ERROR_MS, this.#intervalMs) : this.#intervalMs);
    if (end === "more" || (this.#kicked && end !== "error")) this.#begin();
    else this.#schedule();
  }

  #schedule(): void {
    clearTimeout(this.#timer);
    const at = Math.min(this.#floor, this.#times.soonest);
    this.#timer = setTimeout(() => this.#begin(), Math.max(0, at - Date.now()));
  }
}
