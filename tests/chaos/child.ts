import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { compileCache } from "#tests/compile-cache.ts";

const root = join(import.meta.dirname, "..", "..");
const START_WITHIN_MS = 60_000;
const AGAIN_AFTER_MS = 300;
const STOP_WITHIN_MS = 30_000;

export interface ChildOptions {
  name: string;
  /** Its path. */
  program: string;
  env: Record<string, string>;
}

interface Ready {
  port?: number;
}

/**
 * A process that is kept running: one that ends is started again, as whatever supervises processes would. What it ends by
 * itself after it was up is a collapse.
 */
export class Child {
  readonly name: string;
  readonly collapses: string[] = [];
  readonly #options: ChildOptions;
  readonly #output: string[] = [];
  #process: ChildProcess | undefined;
  #ready: Ready | undefined;
  /** Whether the end of the present process is our doing. */
  #isExpected = false;
  #isFrozen = false;
  #isStopping = false;
  #pauseMs = AGAIN_AFTER_MS;
  #running: Promise<void> = Promise.resolve();

  constructor(options: ChildOptions) {
    this.name = options.name;
    this.#options = options;
  }

  /** All that it has written, over all its lives. */
  get log(): string {
    return this.#output.join("");
  }

  /** The port that it told of; `undefined` while it is not up. */
  get port(): number | undefined {
    return this.#ready?.port;
  }

  get pid(): number | undefined {
    return this.#process?.pid;
  }

  /** Starts it; settles when it is up for the first time. */
  async start(): Promise<void> {
    this.#running = this.#run();
    const deadline = Date.now() + START_WITHIN_MS;
    while (!this.#ready) {
      if (Date.now() > deadline) throw new Error(`${this.name} did not start: ${this.log}`);
      await delay(20);
    }
  }

  /** Ends it at once; it is started again after a pause. */
  kill(pauseMs: number): void {
    this.#isExpected = true;
    this.#pauseMs = pauseMs;
    this.#process?.kill("SIGKILL");
  }

  freeze(): void {
    this.#isFrozen = true;
    this.#process?.kill("SIGSTOP");
  }

  thaw(): void {
    this.#isFrozen = false;
    this.#process?.kill("SIGCONT");
  }

  /** Lets it stop in good order; one that does not within its time has collapsed. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    this.thaw();
    this.#process?.kill("SIGTERM");
    const inTime = await Promise.race([
      this.#running.then(() => true),
      delay(STOP_WITHIN_MS, false, { ref: false }),
    ]);
    if (!inTime) this.collapses.push(`${this.name} did not stop`);
    this.destroy();
  }

  /** Ends it for good, whatever state it is in. */
  destroy(): void {
    this.#isStopping = true;
    this.#isExpected = true;
    this.#process?.kill("SIGKILL");
  }

  async #run(): Promise<void> {
    while (!this.#isStopping) {
      const { program, env } = this.#options;
      const child = fork(program, {
        cwd: root,
        stdio: ["ignore", "pipe", "pipe", "ipc"],
        env: { NODE_ENV: "test", ...compileCache, ...env },
      });
      this.#process = child;
      this.#isExpected = false;
      if (this.#isFrozen) child.kill("SIGSTOP");
      for (const stream of [child.stdout, child.stderr])
        stream?.on("data", (chunk: Buffer) => void this.#output.push(chunk.toString("latin1")));
      child.once("message", (message) => {
        this.#ready = message as Ready;
      });
      const [code, signal] = await once(child, "exit");
      this.#ended(code, signal);
      if (!this.#isStopping) await delay(this.#pauseMs);
      this.#pauseMs = AGAIN_AFTER_MS;
    }
  }

  #ended(code: number | null, signal: NodeJS.Signals | null): void {
    const wasUp = this.#ready !== undefined;
    this.#ready = undefined;
    // One that finds no database when it starts ends, and is started again; a stop that takes too long is cut short, with 1.
    const isFine = this.#isExpected || (this.#isStopping ? code === 0 || code === 1 : !wasUp);
    if (!isFine)
      this.collapses.push(`${this.name} ended with ${signal ?? `code ${code}`}: ${this.log.slice(-2_000)}`);
  }
}
