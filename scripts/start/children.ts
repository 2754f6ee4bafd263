import { type ChildProcess, fork } from "node:child_process";
import { createWriteStream, mkdirSync, renameSync, statSync, type WriteStream } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { nodeOptionsOf } from "#server/settings/node-options.ts";
import { StartError } from "./report.ts";

export interface ChildrenOptions {
  /** One file of output per child; a large one is set aside at the start. */
  logDir: string;
  environment: Record<string, string>;
  /** A child keeps dying: there is no use in going on. */
  onGone(text: string): void;
}

interface Child {
  name: string;
  file: string;
  environment: Record<string, string>;
  log: WriteStream;
  process: ChildProcess;
  /** When it was started, of late. */
  starts: number[];
}

const root = join(import.meta.dirname, "..", "..");
const MAX_LOG_BYTES = 20 * 1024 * 1024;
const READY_WITHIN_MS = 90_000;
const STOP_WITHIN_MS = 9_000;
const STARTS_PER_MINUTE = 5;

/** The processes of one installation: started in order, started again when they die, stopped together. */
export class Children {
  readonly #options: ChildrenOptions;
  readonly #children: Child[] = [];
  #stopping = false;

  constructor(options: ChildrenOptions) {
    this.#options = options;
    mkdirSync(options.logDir, { recursive: true });
  }

  /** Starts a child and waits until it says that it is ready; gives what it said. */
  async start(
    name: string,
    file: string,
    environment: Record<string, string> = {},
  ): Promise<Record<string, unknown>> {
    const path = join(this.#options.logDir, `${name}.log`);
    setAside(path);
    const log = createWriteStream(path, { flags: "a" });
    const child: Child = {
      name,
      file,
      environment,
      log,
      process: this.#spawn(file, environment, log),
      starts: [Date.now()],
    };
    this.#children.push(child);
    const said = await ready(child, path);
    this.#watch(child);
    return said;
  }

  /** Asks all to stop and waits; who takes longer than nine seconds is killed. */
  async stop(): Promise<void> {
    this.#stopping = true;
    await Promise.all(this.#children.map((child) => end(child.process)));
    for (const child of this.#children) child.log.end();
  }

  #spawn(file: string, environment: Record<string, string>, log: WriteStream): ChildProcess {
    const child = fork(join(root, file), {
      cwd: root,
      execArgv: [...nodeOptionsOf(file)],
      env: { ...process.env, ...this.#options.environment, ...environment },
      stdio: ["ignore", "pipe", "pipe", "ipc"],
      // A group of its own: Ctrl-C reaches this process alone, which then stops them in order.
      detached: true,
    });
    child.stdout?.pipe(log, { end: false });
    child.stderr?.pipe(log, { end: false });
    return child;
  }

  #watch(child: Child): void {
    child.process.once("exit", async (code, signal) => {
      if (this.#stopping) return;
      const minuteAgo = Date.now() - 60_000;
      child.starts = [...child.starts.filter((at) => at > minuteAgo), Date.now()];
      const how = signal ? `was ended by ${signal}` : `ended with status ${code}`;
      if (child.starts.length > STARTS_PER_MINUTE)
        return this.#options.onGone(
          `The ${child.name} process ${how} again and again; see ${this.#options.logDir}/${child.name}.log.`,
        );
      console.error(`The ${child.name} process ${how}; it is started again.`);
      await delay(200);
      if (this.#stopping) return;
      child.process = this.#spawn(child.file, child.environment, child.log);
      this.#watch(child);
    });
  }
}

function setAside(path: string): void {
  const bytes = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (bytes > MAX_LOG_BYTES) renameSync(path, `${path}.1`);
}

function ready(child: Child, logPath: string): Promise<Record<string, unknown>> {
  let tail = "";
  child.process.stderr?.on("data", (chunk: Buffer) => {
    tail = (tail + chunk.toString()).slice(-2_000);
  });
  return new Promise((resolve, reject) => {
    const late = setTimeout(
      () => reject(new StartError(`The ${child.name} process does not get ready; see ${logPath}.`)),
      READY_WITHIN_MS,
    );
    child.process.once("message", (said) => {
      clearTimeout(late);
      resolve(said as Record<string, unknown>);
    });
    child.process.once("exit", (code, signal) => {
      clearTimeout(late);
      reject(
        new StartError(
          `The ${child.name} process ended (${signal ?? code}).\n${tail.trim() || `See ${logPath}.`}`,
        ),
      );
    });
  });
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  child.kill("SIGTERM");
  const timer = setTimeout(() => child.kill("SIGKILL"), STOP_WITHIN_MS);
  await ended;
  clearTimeout(timer);
}
