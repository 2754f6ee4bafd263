import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { nodeOptionsOf } from "#server/settings/node-options.ts";

/** Those that run. */
const children = new Set<Child>();

/** Stops all that run; a benchmark that waits for one of them fails. */
export async function stopChildren(): Promise<void> {
  await Promise.all([...children].map((child) => child.stop()));
}

const root = join(import.meta.dirname, "..");

/** A process of its own, so that what is measured shares no event loop with what measures it. */
export class Child {
  readonly #process: ChildProcess;

  constructor(file: string, environment: Record<string, string> = {}, args: readonly string[] = []) {
    this.#process = fork(join(root, file), args, {
      execArgv: [...nodeOptionsOf(file)],
      env: { ...process.env, ...environment },
      stdio: ["ignore", "ignore", "inherit", "ipc"],
      // Ctrl-C reaches this process alone, which stops the others.
      detached: true,
    });
    children.add(this);
    this.#process.once("exit", () => children.delete(this));
  }

  get pid(): number | undefined {
    return this.#process.pid;
  }

  /** What it says next. */
  async said<T>(): Promise<T> {
    const answered = new AbortController();
    const { signal } = answered;
    try {
      const [message] = await Promise.race([
        once(this.#process, "message", { signal }),
        once(this.#process, "exit", { signal }).then(() =>
          Promise.reject(new Error("a process of the benchmark ended early")),
        ),
      ]);
      return message as T;
    } finally {
      answered.abort();
    }
  }

  /** Asks, and gives what it says next. */
  ask<T>(question: object): Promise<T> {
    const answer = this.said<T>();
    this.#process.send(question);
    return answer;
  }

  /** Ends it as a crash does. */
  kill(): Promise<void> {
    return this.#end("SIGKILL");
  }

  stop(): Promise<void> {
    return this.#end("SIGTERM");
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    const ended = once(this.#process, "exit");
    this.#process.kill(signal);
    await ended;
  }
}
