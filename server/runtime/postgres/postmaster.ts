import { constants, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { EmbeddedPostgresError } from "./embedded-postgres-error.ts";
import { findProcess, type RunningProcess } from "./process-table.ts";

/** A running PostgreSQL server: its first process and its port on 127.0.0.1. */
export interface Postmaster {
  readonly pid: number;
  readonly port: number;
}

const POLL_MS = 50;
const HALF_WRITTEN_MS = 1_000;

// Fast shutdown, then immediate shutdown: that one needs no disk, loses nothing and is followed by recovery at the next start.
// The whole application promises to end within 10 s, so the fast one cannot have long.
const STOP_STEPS = [
  { signal: "SIGINT", waitMs: 6_000 },
  { signal: "SIGQUIT", waitMs: 8_000 },
] as const;

/**
 * The server that runs in `clusterDir`, if one does. `moved`: the folder was moved under it, so that what it has yet to read by
 * its full path (its libraries, its configuration) may be gone.
 */
export async function findPostmaster(
  clusterDir: string,
): Promise<(Postmaster & { moved: boolean }) | undefined> {
  const { pid, port } = await readLockFile(clusterDir);
  const running = pid && port ? await findProcess(pid) : undefined;
  if (!pid || !port || !running || !servesCluster(running, clusterDir)) return undefined;
  return { pid, port, moved: !wasStartedFor(running, clusterDir) };
}

/** Whether `pid` is the server of `clusterDir`, not a process that has got the same number since, nor a zombie. */
export async function isPostmaster(pid: number, clusterDir: string): Promise<boolean> {
  const running = await findProcess(pid);
  return running !== undefined && servesCluster(running, clusterDir);
}

function servesCluster(running: RunningProcess, clusterDir: string): boolean {
  return wasStartedFor(running, clusterDir) || running.cwd === clusterDir;
}

function wasStartedFor({ commandLine }: RunningProcess, clusterDir: string): boolean {
  return commandLine.includes(` -D ${clusterDir} `);
}

/** Stops the server of `clusterDir` and waits until it is gone. Does nothing when it is already. */
export async function stopPostmaster(pid: number, clusterDir: string): Promise<void> {
  for (const { signal, waitMs } of STOP_STEPS) {
    if (!(await isPostmaster(pid, clusterDir))) return;
    signalProcess(pid, signal);
    const deadline = performance.now() + waitMs;
    while (performance.now() < deadline) {
      if (!(await isPostmaster(pid, clusterDir))) return;
      await sleep(POLL_MS);
    }
  }
  throw new EmbeddedPostgresError(
    `PostgreSQL (process ${pid}) does not end: end it with "kill -9 ${pid}"; nothing that was committed is lost.`,
  );
}

/**
 * Clears the way for a new server when postmaster.pid names a process that is no server of this cluster but whose number is in use:
 * a zombie that nobody reaps, or another program after a reboot. PostgreSQL would take it for a running server and refuse. The
 * file must not be deleted, as it also holds the key of the shared memory by which PostgreSQL notices orphans of a killed
 * server; so only the number is replaced, by that of the parent-to-be, which PostgreSQL knows to be stale.
 */
export async function disownLockFile(clusterDir: string): Promise<void> {
  const first = await readLockFile(clusterDir);
  if (first.text === undefined || (first.pid && !isTaken(first.pid))) return;
  // A file without a number is one that a server is about to fill, or what a crash has left of one.
  if (!first.pid) await sleep(HALF_WRITTEN_MS);
  const { text, pid } = await readLockFile(clusterDir);
  if (text === undefined || pid !== first.pid) return;
  const stale = [process.pid, ...text.split("\n").slice(1)].join("\n");
  // The folder belongs to the server's account, so root must not be led astray by a link in it.
  const flag = constants.O_WRONLY | constants.O_TRUNC | constants.O_NOFOLLOW;
  await writeFile(lockFileOf(clusterDir), stale, { flag });
}

/** The fields of postmaster.pid (src/include/utils/pidfile.h); an unreadable number is undefined, and so is a missing file's text. */
async function readLockFile(clusterDir: string): Promise<{ text?: string; pid?: number; port?: number }> {
  const text = await readFile(lockFileOf(clusterDir), "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  if (text === undefined) return {};
  const lines = text.split("\n");
  const [pid, port] = [Number(lines[0]), Number(lines[3])];
  return { text, ...(pid > 0 ? { pid } : {}), ...(port > 0 ? { port } : {}) };
}

function lockFileOf(clusterDir: string): string {
  return join(clusterDir, "postmaster.pid");
}

function isTaken(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}

function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
