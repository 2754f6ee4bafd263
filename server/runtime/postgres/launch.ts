import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { constants, open, statfs } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import type { Account } from "./account.ts";
import { ENVIRONMENT } from "./command.ts";
import { describeFailure } from "./embedded-postgres-error.ts";
import { choosePort, isPortFree } from "./free-port.ts";
import {
  disownLockFile,
  findPostmaster,
  isPostmaster,
  type Postmaster,
  stopPostmaster,
} from "./postmaster.ts";
import { untilReady } from "./readiness.ts";
import { lastMeaningfulLine, readLogFrom } from "./server-log.ts";
import { machineMemory, sharedBuffersMiB } from "./shared-buffers.ts";

/** What is needed to have a server run on the cluster of one home. */
export interface LaunchOptions {
  readonly home: string;
  readonly clusterDir: string;
  readonly logFile: string;
  /** The server program. */
  readonly postgres: string;
  readonly account: Account | undefined;
  readonly preferredPort: number | undefined;
  /** The URL of the maintenance database. */
  readonly urlOf: (port: number) => string;
  readonly onProgress: (line: string) => void;
}

/** A server that answers; `adopted` when it was running already. */
export type Launched = Postmaster & { readonly adopted: boolean };

const RETRY_MS = 50;
const RETRY_FOR_MS = 20_000;
// As root in a home that belongs to a user, no link of that user is followed.
const LOG_FLAGS = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW;
const NO_ROOM_BYTES = 1024 * 1024;

// What a killed server leaves for a moment: its lock file, and its children on its shared memory.
const LEFT_BY_ANOTHER = /lock file .* (already exists|is empty)|shared memory block .* still in use/;

/**
 * Gives a server that answers: the one that outlived an earlier process of ours, else a new one. What a killed server has left
 * behind for a moment is waited for.
 */
export async function launchOrAdopt(options: LaunchOptions): Promise<Launched> {
  const deadline = performance.now() + RETRY_FOR_MS;
  for (;;) {
    const launched = (await adopt(options)) ?? (await launch(options));
    if ("port" in launched) return launched;
    if (!launched.passing || performance.now() > deadline)
      throw describeFailure("PostgreSQL did not start", launched.reason, options.home);
    await sleep(RETRY_MS);
  }
}

async function adopt({ home, clusterDir, urlOf, onProgress }: LaunchOptions): Promise<Launched | undefined> {
  const running = await findPostmaster(clusterDir);
  if (!running) return undefined;
  const { pid, port, moved } = running;
  if (moved) {
    await stopPostmaster(pid, clusterDir);
    return undefined;
  }
  onProgress(`PostgreSQL is still running (process ${pid}) and is used as it is.`);
  const isRunning = () => isPostmaster(pid, clusterDir);
  const ready = await untilReady({ pid, url: urlOf(port), home, isRunning, onProgress });
  return ready ? { pid, port, adopted: true } : undefined;
}

/** Starts a server. If it ends at once: why, and whether that is `passing`. */
async function launch(options: LaunchOptions): Promise<Launched | { passing: boolean; reason: string }> {
  const { home, clusterDir, logFile, urlOf, onProgress } = options;
  await disownLockFile(clusterDir);
  const port = await choosePort(options.preferredPort);
  const { child, pid, logOffset } = await spawnServer(options, port);
  const isRunning = () => child.exitCode === null && child.signalCode === null;
  try {
    const ready = await untilReady({ pid, url: urlOf(port), home, isRunning, onProgress });
    if (ready) return { pid, port, adopted: false };
  } catch (error) {
    await stopPostmaster(pid, clusterDir);
    throw error;
  }
  // What is left of a killed server writes to the same log, so the line that matters need not be the last.
  const output = await readLogFrom(logFile, logOffset);
  const passing = LEFT_BY_ANOTHER.test(output) || !(await isPortFree(port));
  const said = lastMeaningfulLine(output);
  const reason = said || `it ended with ${child.signalCode ?? `code ${child.exitCode}`} without a word`;
  return { passing, reason: (await isFull(home)) ? `${reason}: the disk is full` : reason };
}

async function spawnServer(
  { clusterDir, logFile, postgres, account }: LaunchOptions,
  port: number,
): Promise<{ child: ChildProcess; pid: number; logOffset: number }> {
  const log = await open(logFile, LOG_FLAGS, 0o600);
  try {
    const { size } = await log.stat();
    const child = spawn(postgres, serverArguments(clusterDir, port), {
      ...account,
      cwd: "/",
      env: ENVIRONMENT,
      // A session of its own: Ctrl-C at the terminal is for the application, which stops the server once it has drained. The
      // log is a file and no pipe, since the server may outlive us.
      detached: true,
      stdio: ["ignore", log.fd, log.fd],
    });
    await once(child, "spawn");
    child.unref();
    return { child, pid: child.pid ?? 0, logOffset: size };
  } finally {
    await log.close();
  }
}

function serverArguments(clusterDir: string, port: number): string[] {
  const settings = {
    listen_addresses: "127.0.0.1",
    // Their path may be too long for a socket, and nobody needs a second way in.
    unix_socket_directories: "",
    max_connections: "200",
    shared_buffers: `${sharedBuffersMiB(machineMemory())}MB`,
    fsync: "on",
    synchronous_commit: "on",
    // A query whose application was killed ends soon; if the server was killed too, it would keep the next one from starting.
    client_connection_check_interval: "1s",
    lc_messages: "C",
  };
  return [
    ...["-D", clusterDir, "-p", String(port)],
    ...Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]),
  ];
}

/** On a full disk the server may be unable to write why it ended, wholly or in part. */
async function isFull(folder: string): Promise<boolean> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize < NO_ROOM_BYTES;
}
