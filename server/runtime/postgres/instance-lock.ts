import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describeFailure, EmbeddedPostgresError } from "./embedded-postgres-error.ts";

export interface InstanceLock {
  release(): Promise<void>;
}

const SQLITE_BUSY = 5;

// A lock whose handle is collected would be released, so every held one is reachable from here.
const held = new Set<DatabaseSync>();

/**
 * Takes the lock that lets one process at a time run the database of `dataDir`. Rejects, naming the holder, when it is taken.
 *
 * The lock is the kernel's own on `postgres.lock` (a POSIX record lock), which ends with its holder however that dies: a pid
 * file would block after `kill -9` as soon as its pid is in use again. Node has no call for such locks, but its SQLite takes
 * them on every platform, and an exclusive transaction that changes nothing writes nothing. A PostgreSQL advisory lock would
 * come too late (initdb runs before there is a server) and would be lost with the server. Children do not inherit the lock, so
 * the postmaster that outlives its launcher does not keep it.
 */
export async function acquireInstanceLock(dataDir: string): Promise<InstanceLock> {
  const lockFile = join(dataDir, "postgres.lock");
  // Only for the message to a second process: whether the lock is held is never read from it.
  const holderFile = join(dataDir, "postgres.lock.pid");
  const database = lockExclusively(lockFile);
  if (!database) {
    const pid = (await readFile(holderFile, "utf8").catch(() => "")).trim();
    throw new EmbeddedPostgresError(
      `The embedded PostgreSQL of ${dataDir} is already in use by ${pid ? `process ${pid}` : "another process"}: stop that one first, or set POSTHORN_DATA_DIR to another folder.`,
    );
  }
  held.add(database);
  await writeFile(holderFile, `${process.pid}\n`).catch(() => {});
  return {
    release: async () => {
      if (!held.delete(database)) return;
      await rm(holderFile, { force: true }).catch(() => {});
      database.close();
    },
  };
}

/** The open database that holds the lock, or nothing when somebody else holds it. */
function lockExclusively(lockFile: string): DatabaseSync | undefined {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(lockFile);
    database.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE");
    return database;
  } catch (error) {
    database?.close();
    if (error instanceof Error && "errcode" in error && error.errcode === SQLITE_BUSY) return undefined;
    throw describeFailure("The lock of the embedded database cannot be taken", error, lockFile);
  }
}
