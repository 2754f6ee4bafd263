import { execFile } from "node:child_process";
import type { Stats } from "node:fs";
import { realpath, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { promisify } from "node:util";
import { EmbeddedPostgresError } from "./embedded-postgres-error.ts";

/** The account that PostgreSQL runs as when this process is root. */
export interface Account {
  readonly uid: number;
  readonly gid: number;
}

// initdb looks its user up by name, so a bare number without an entry in the user database would not do.
const UNPRIVILEGED_USERS = ["postgres", "_postgres", "nobody"];

/**
 * The account to run PostgreSQL as, or nothing when that is the user of this process. PostgreSQL refuses root and a data
 * directory that is not its own: as root the owner of an existing `clusterDir` decides, so that a database made by a user
 * stays that user's; else it is `postgres` or, where that does not exist, `nobody`.
 */
export async function accountFor(clusterDir: string): Promise<Account | undefined> {
  const owner = await stat(clusterDir).catch(() => undefined);
  const uid = process.getuid?.() ?? 0;
  if (uid !== 0) {
    if (owner && owner.uid !== uid)
      throw new EmbeddedPostgresError(
        `The database in ${clusterDir} belongs to user ${owner.uid} and this process runs as user ${uid}: start as its owner or as root, or set POSTHORN_DATA_DIR to another folder.`,
      );
    return undefined;
  }
  if (owner?.uid === 0)
    throw new EmbeddedPostgresError(
      `The database in ${clusterDir} belongs to root, as which PostgreSQL refuses to run: give it back to its account, as in "chown -R postgres ${clusterDir}".`,
    );
  return owner ? { uid: owner.uid, gid: owner.gid } : await unprivilegedAccount();
}

async function unprivilegedAccount(): Promise<Account> {
  for (const user of UNPRIVILEGED_USERS) {
    const [uid, gid] = await Promise.all([idOf("-u", user), idOf("-g", user)]);
    if (uid && gid) return { uid, gid };
  }
  throw new EmbeddedPostgresError(
    "PostgreSQL refuses to run as root and there is no user postgres or nobody to run it as: add a user postgres, start as a normal user, or set DATABASE_URL.",
  );
}

/** The numeric id of a user, or nothing when there is no such user (or it is root). */
async function idOf(option: "-u" | "-g", user: string): Promise<number | undefined> {
  const answer = await promisify(execFile)("id", [option, user]).catch(() => undefined);
  return Number(answer?.stdout) || undefined;
}

/** The folder on the way to `path` that `account` may not enter, if there is one. `path` itself counts. */
export async function closedFolderOnTheWay(path: string, account: Account): Promise<string | undefined> {
  const real = await realpath(path);
  for (let folder = real; ; folder = dirname(folder)) {
    if (!mayEnter(await stat(folder), account)) return folder;
    if (folder === dirname(folder)) return undefined;
  }
}

function mayEnter({ uid, gid, mode }: Stats, account: Account): boolean {
  if (uid === account.uid) return (mode & 0o100) !== 0;
  if (gid === account.gid) return (mode & 0o010) !== 0;
  return (mode & 0o001) !== 0;
}
