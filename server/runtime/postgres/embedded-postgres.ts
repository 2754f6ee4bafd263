import { access, constants, mkdir, realpath } from "node:fs/promises";
import { dirname, join } from "node:path";
import { accountFor } from "./account.ts";
import {
  findInstalledPackage,
  type InstalledPackage,
  prepareBinaries,
  removeOtherCopies,
} from "./binaries.ts";
import { createCluster, DATABASE_USER, hasCluster } from "./cluster.ts";
import { ensureDatabase } from "./connection.ts";
import { loadConnectionSettings, saveConnectionSettings } from "./connection-settings.ts";
import { describeFailure } from "./embedded-postgres-error.ts";
import { clusterDirOf, openHome } from "./home.ts";
import { acquireInstanceLock } from "./instance-lock.ts";
import { launchOrAdopt } from "./launch.ts";
import { type Postmaster, stopPostmaster } from "./postmaster.ts";
import { boundLog } from "./server-log.ts";

/** The PostgreSQL that comes with Posthorn, running for this process alone. */
export interface EmbeddedPostgres {
  /** postgres:// URL of the database "posthorn", for a superuser. The same at every start while its port is free. */
  readonly url: string;
  /** Shuts the server down, by force if it takes long, and lets go of the data directory. A second call joins the first. */
  stop(): Promise<void>;
}

const DATABASE = "posthorn";

/**
 * Starts PostgreSQL on the database kept in `dataDir` (see `openHome` for what lies where), which is made if there is none. A
 * server that outlived an earlier process is adopted. Runs as root too, and as a user who may not write node_modules.
 * Rejects with an `EmbeddedPostgresError` that says what to do; one process at a time can use a `dataDir`.
 */
export async function startEmbeddedPostgres(options: {
  dataDir: string;
  onProgress?: (line: string) => void;
}): Promise<EmbeddedPostgres> {
  const { dataDir, onProgress = () => {} } = options;
  try {
    const installed = await findInstalledPackage();
    await makeFolders(dataDir);
    const realDataDir = await realpath(dataDir);
    await access(realDataDir, constants.W_OK | constants.X_OK);
    const lock = await acquireInstanceLock(realDataDir);
    try {
      const server = await startServer(realDataDir, installed, onProgress);
      return { url: server.url, stop: once(() => server.stop().finally(lock.release)) };
    } catch (error) {
      await lock.release();
      throw error;
    }
  } catch (error) {
    throw describeFailure("The embedded PostgreSQL could not be started", error, dataDir);
  }
}

/** Everything that needs the lock of `dataDir`. */
async function startServer(
  dataDir: string,
  installed: InstalledPackage,
  onProgress: (line: string) => void,
): Promise<EmbeddedPostgres> {
  const account = await accountFor(clusterDirOf(dataDir));
  const home = await openHome(dataDir, account, onProgress);
  const clusterDir = join(home, "data");
  const logFile = join(home, "postgres.log");
  const binaries = await prepareBinaries({ installed, home, account, onProgress });
  const exists = await hasCluster(clusterDir, binaries.majorVersion);
  const settings = await loadConnectionSettings(home, exists);
  const urlOf = (port: number, database: string) =>
    `postgres://${DATABASE_USER}:${settings.password}@127.0.0.1:${port}/${database}`;

  if (!exists) {
    onProgress(`Creating the embedded database in ${home}`);
    await createCluster({ home, clusterDir, account, binaries, password: settings.password });
  }
  const server = await launchOrAdopt({
    ...{ home, clusterDir, logFile, account, onProgress },
    postgres: binaries.postgres,
    preferredPort: settings.port,
    urlOf: (port) => urlOf(port, "postgres"),
  });
  try {
    if (server.port !== settings.port) await saveConnectionSettings(home, { ...settings, port: server.port });
    if (!server.adopted) await removeOtherCopies(home, binaries.copy);
    await ensureDatabase(urlOf(server.port, "postgres"), DATABASE, home);
  } catch (error) {
    await stopPostmaster(server.pid, clusterDir);
    throw error;
  }
  return { url: urlOf(server.port, DATABASE), stop: stopperOf(server, clusterDir, boundLog(logFile)) };
}

function stopperOf(server: Postmaster, clusterDir: string, unboundLog: () => void): () => Promise<void> {
  return () => {
    unboundLog();
    return stopPostmaster(server.pid, clusterDir);
  };
}

/** As mkdir with `recursive`, which names the wrong cause (ENOENT) on a read-only disk. */
async function makeFolders(path: string): Promise<void> {
  try {
    await mkdir(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST") return;
    if (code !== "ENOENT" || path === dirname(path)) throw error;
    await makeFolders(dirname(path));
    await mkdir(path);
  }
}

/** Runs `action` at the first call and gives its outcome to every call. */
function once<T>(action: () => Promise<T>): () => Promise<T> {
  let outcome: Promise<T> | undefined;
  return () => {
    outcome ??= action();
    return outcome;
  };
}
