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
  language: "C" | "node";
  origin: string;
  /** How many requests have come. */
  count(): Promise<number>;
}

const run = promisify(execFile);

/** Runs `work` with a receiver: the one in C where there is a compiler, and otherwise the one on node:http. */
export async function withReceiver<T>(work: (receiver: Receiver) => Promise<T>): Promise<T> {
  const program = await compiled();
  return program ? withCompiled(program, work) : withNode(work);
}

/** The folder with the program, `undefined` where nothing compiles it. */
async function compiled(): Promise<string | undefined> {
  const folder = await mkdtemp(join(tmpdir(), "posthorn-receiver-"));
  try {
    await run("cc", ["-O2", "-o", join(folder, "receiver"), join(import.meta.dirname, "receiver.c")]);
    return folder;
  } catch {
    await rm(folder, { recursive: true });
    return undefined;
  }
}

async function withCompiled<T>(folder: string, work: (receiver: Receiver) => Promise<T>): Promise<T> {
  const child = spawn(join(folder, "receiver"), { stdio: ["pipe", "pipe", "inherit"], detached: true });
  const lines = createInterface(child.stdout);
  const said = async () => Number((await once(lines, "line"))[0]);
  try {
    const origin = originOf(await said());
    const count = () => {
      child.stdin.write("?");
      return said();
    };
    return await work({ language: "C", origin, count });
  } finally {
    child.stdin.end();
    await rm(folder, { recursive: true });
  }
}

async function withNode<T>(work: (receiver: Receiver) => Promise<T>): Promise<T> {
  const child = new Child("bench/receiver.ts");
  try {
    const { port } = await child.said<{ port: number }>();
    const count = async () => (await child.ask<{ count: number }>({})).count;
    return await work({ language: "node", origin: originOf(port), count });
  } finally {
    await child.stop();
  }
}

const originOf = (port: number) => `http://127.0.0.1:${port}`;
