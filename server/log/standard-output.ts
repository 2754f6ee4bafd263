import { fstatSync, writeSync } from "node:fs";
import { Socket } from "node:net";
import { type DestinationStream, pino } from "pino";

const STDOUT = 1;
/** What waits for a reader at most; lines beyond it are dropped, and counted. */
const MAX_PENDING_BYTES = 4 * 1024 * 1024;
const AGAIN_AFTER_MS = 20;
const LAST_WORDS_WITHIN_MS = 500;

/**
 * Standard output for a log: whoever reads it slowly, or not at all, costs neither time nor more than 4 MiB, and cannot
 * keep the process from ending. A file is written as files are.
 */
export function standardOutput(): DestinationStream {
  const stat = fstatSync(STDOUT);
  if (stat.isFIFO() || stat.isSocket()) return new PipeOutput();
  return pino.destination({ dest: STDOUT, sync: false, maxLength: MAX_PENDING_BYTES });
}

/** A pipe is written without blocking, what it does not take is kept and tried again. */
class PipeOutput implements DestinationStream {
  // Opening a pipe as a socket makes it one that never blocks, for which node:fs has no call.
  readonly #nonBlocking = new Socket({ fd: STDOUT, readable: false, writable: true });
  #waiting: Buffer[] = [];
  #bytes = 0;
  #dropped = 0;
  #isScheduled = false;
  #isClosed = false;

  constructor() {
    this.#nonBlocking.on("error", () => {});
    process.on("exit", () => this.#end());
  }

  write(line: string): void {
    if (this.#isClosed) return;
    if (this.#bytes > MAX_PENDING_BYTES) this.#dropped++;
    else this.#add(line);
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    // All lines of one turn are written together.
    setImmediate(() => this.#flush());
  }

  #add(line: string): void {
    const bytes = Buffer.from(line);
    this.#waiting.push(bytes);
    this.#bytes += bytes.length;
  }

  #flush(): void {
    this.#isScheduled = this.#push() === "full";
    if (this.#isScheduled) setTimeout(() => this.#flush(), AGAIN_AFTER_MS).unref();
    else if (this.#dropped > 0) this.#tellDropped();
  }

  #tellDropped(): void {
    const members = { level: "warn", time: new Date().toISOString(), lines: this.#dropped };
    this.#dropped = 0;
    this.write(
      `${JSON.stringify({ ...members, msg: "log lines were dropped: nobody read them in time" })}\n`,
    );
  }

  /** Writes what there is, as far as it is taken. */
  #push(): "empty" | "full" {
    while (this.#bytes > 0) {
      const bytes = this.#waiting.length === 1 ? this.#waiting[0] : Buffer.concat(this.#waiting);
      if (!bytes) break;
      this.#waiting = [bytes];
      try {
        const written = writeSync(STDOUT, bytes);
        this.#waiting = written < bytes.length ? [bytes.subarray(written)] : [];
        this.#bytes -= written;
      } catch (error) {
        if (error instanceof Error && "code" in error && error.code === "EAGAIN") return "full";
        // Nobody will ever read it.
        this.#isClosed = true;
        this.#waiting = [];
        this.#bytes = 0;
      }
    }
    return "empty";
  }

  /** The process ends: a reader who is there gets the last lines, one who is not is given up soon. */
  #end(): void {
    const until = performance.now() + LAST_WORDS_WITHIN_MS;
    const clock = new Int32Array(new SharedArrayBuffer(4));
    while (this.#push() === "full" && performance.now() < until) Atomics.wait(clock, 0, 0, AGAIN_AFTER_MS);
  }
}
