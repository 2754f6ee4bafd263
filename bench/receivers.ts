import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { Child } from "./child.ts";

/** Where the benchmarks' requests go: a process of its own that answers 200 to each. */
export interface Receiver {
  /** What it is written in, for the report: it takes its share of the machine. */
  kind: "C" | "node";
  origin: string;
  stop(): Promise<void>;
}

const run = promisify(execFile);
const originOf = (port: number) => `http://127.0.0.1:${port}`;

/** The receiver in C where there is a compiler, and otherwise the one on node:http. */
export async function openReceiver(): Promise<Receiver> {
  return (await openCompiled()) ?? (await openNode());
}

async function openCompiled(): Promise<Receiver | undefined> {
  const folder = await mkdtemp(join(tmpdir(), "posthorn-receiver-"));
  const program = join(folder, "receiver");
  try {
    await run("cc", ["-O2", "-o", program, join(import.meta.dirname, "receiver.c")]);
    const child = spawn(program, { stdio: ["pipe", "pipe", "inherit"] });
    const ended = once(child, "exit");
    const [port] = await once(createInterface(child.stdout), "line");
    const stop = async () => {
      child.stdin.end();
      await ended;
    };
    return { kind: "C", origin: originOf(Number(port)), stop };
  } catch {
    return undefined;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function openNode(): Promise<Receiver> {
  const child = new Child("bench/receiver.ts");
  const { port } = await child.said<{ port: number }>();
  return { kind: "node", origin: originOf(port), stop: () => child.stop() };
}
