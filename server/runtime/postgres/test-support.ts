import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, lstat, mkdtemp, readlink, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import type { Account } from "./account.ts";
import { run } from "./command.ts";
import { queryOnce } from "./connection.ts";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "./embedded-postgres.ts";
import { clusterDirOf } from "./home.ts";
import { findPostmaster, type Postmaster } from "./postmaster.ts";

export const PROJECT = join(import.meta.dirname, "..", "..", "..");
export const IS_ROOT = process.getuid?.() === 0;

const started: EmbeddedPostgres[] = [];
const children: ChildProcess[] = [];
const dataDirs: string[] = [];
const mounts: string[] = [];
const folders: string[] = [];

/** An empty folder that every account may enter; removed by `cleanUp`, as is all that the functions below make. */
export async function makeFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "posthorn-postgres-")));
  folders.push(folder);
  await chmod(folder, 0o755);
  return folder;
}

/** The path of a data directory that is not there yet. */
export async function makeDataDir(parent?: string): Promise<string> {
  const dataDir = join(parent ?? (await makeFolder()), ".posthorn");
  dataDirs.push(dataDir);
  return dataDir;
}

let seed: Promise<{ folder: string; dataDir: string }> | undefined;

/**
 * A data directory that was started and stopped once, with a table `kept` whose one row has `answer` 42. It is shared by the
 * tests of a file, so each must leave the database in it whole; `cleanUp` only stops it.
 */
export async function sharedDataDir(): Promise<string> {
  seed ??= makeSeed();
  const { dataDir } = await seed;
  dataDirs.push(dataDir);
  return dataDir;
}

/** A copy of the shared data directory, to do anything with. */
export async function copyDataDir(parent?: string): Promise<string> {
  const dataDir = await makeDataDir(parent);
  await run("cp", ["-a", await sharedDataDir(), dataDir], undefined);
  return dataDir;
}

async function makeSeed(): Promise<{ folder: string; dataDir: string }> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "posthorn-postgres-seed-")));
  await chmod(folder, 0o755);
  const dataDir = join(folder, ".posthorn");
  const { url, stop } = await startEmbeddedPostgres({ dataDir });
  await queryOnce(url, "CREATE TABLE kept AS SELECT 42 AS answer");
  await stop();
  return { folder, dataDir };
}

/** Removes the shared data directory; for `afterAll`. */
export async function removeSeed(): Promise<void> {
  const made = await seed;
  seed = undefined;
  if (made) await rm(made.folder, { recursive: true, force: true });
}

/** What the table of a seeded database holds. */
export const SEEDED = [{ answer: 42 }];
export const readSeeded = (url: string) => queryOnce(url, "SELECT answer FROM kept");

/** Mounts a small disk at `folder`; gives whether that is allowed here. */
export async function mountDisk(folder: string, size: string): Promise<boolean> {
  if (!IS_ROOT || process.platform !== "linux") return false;
  try {
    await run("mount", ["-t", "tmpfs", "-o", `size=${size},mode=755`, "tmpfs", folder], undefined);
  } catch {
    return false;
  }
  mounts.push(folder);
  return true;
}

export async function start(dataDir: string, onProgress?: (line: string) => void): Promise<EmbeddedPostgres> {
  const database = await startEmbeddedPostgres({ dataDir, ...(onProgress ? { onProgress } : {}) });
  started.push(database);
  return database;
}

/** Name and message with which a start is refused. A server that starts after all is stopped. */
export async function refusal(dataDir: string): Promise<string> {
  return start(dataDir).then(
    (database) => database.stop().then(() => "it started"),
    (error: Error) => `${error.name}: ${error.message}`,
  );
}

export interface Launcher {
  readonly process: ChildProcess;
  /** The URL, or name and message of the error. */
  readonly answer: Promise<string>;
  /** Ends the process, and nothing else, as `kill -9` does. */
  kill(): Promise<void>;
}

const LAUNCHER = `
  import { queryOnce } from "#server/runtime/postgres/connection.ts";
  import { startEmbeddedPostgres } from "#server/runtime/postgres/embedded-postgres.ts";
  const [, dataDir, query] = process.argv;
  try {
    const { url } = await startEmbeddedPostgres({ dataDir });
    if (query) void queryOnce(url, query);
    console.log(url);
  } catch (error) {
    console.log(error.name + ": " + error.message);
  }
  setInterval(() => {}, 60_000);`;

/** Another process, the leader of a process group, that starts the database of `dataDir`, sends it `query` and stays. */
export function startElsewhere(
  dataDir: string,
  { account, query }: { account?: Account; query?: string } = {},
): Launcher {
  const child = spawn(
    process.execPath,
    ["--input-type=module", "--eval", LAUNCHER, dataDir, ...(query ? [query] : [])],
    { ...account, cwd: PROJECT, detached: true, stdio: ["ignore", "pipe", "inherit"] },
  );
  children.push(child);
  const answer = once(createInterface(child.stdout), "line").then(([line]) => String(line));
  return { process: child, answer, kill: () => end(child) };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, "exit");
  child.kill("SIGKILL");
  await exit;
}

/** The server that runs for `dataDir`, if one does. */
export async function serverOf(dataDir: string): Promise<Postmaster | undefined> {
  const clusterDir = await realpath(clusterDirOf(dataDir)).catch(() => undefined);
  return clusterDir ? findPostmaster(clusterDir) : undefined;
}

/** Kills the server of `dataDir` as `kill -9` does, without waiting for anything. */
export async function killServer(dataDir: string): Promise<number> {
  const server = await serverOf(dataDir);
  if (!server) throw new Error(`No server runs for ${dataDir}.`);
  process.kill(server.pid, "SIGKILL");
  return server.pid;
}

/** Waits until `condition` holds; the test's own time limit ends it if it never does. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await sleep(10);
}

/** Ends every process and removes every folder that a test made, whatever became of the test. */
export async function cleanUp(): Promise<void> {
  await Promise.allSettled(started.splice(0).map((database) => database.stop()));
  await Promise.all(children.splice(0).map(end));
  for (const dataDir of dataDirs.splice(0)) {
    if (await serverOf(dataDir)) await killServer(dataDir);
    await until(async () => !(await serverOf(dataDir)));
    const place = join(dataDir, "postgres");
    const link = (await lstat(place).catch(() => undefined))?.isSymbolicLink();
    if (link) await rm(await readlink(place), { recursive: true, force: true, maxRetries: 20 });
  }
  for (const folder of mounts.splice(0)) await run("umount", ["-l", folder], undefined);
  for (const folder of folders.splice(0)) {
    await run("chmod", ["-R", "u+rwX", folder], undefined);
    await rm(folder, { recursive: true, force: true, maxRetries: 20 });
  }
}
