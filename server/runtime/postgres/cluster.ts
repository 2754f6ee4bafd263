import { randomUUID } from "node:crypto";
import { chown, mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Account } from "./account.ts";
import type { Binaries } from "./binaries.ts";
import { CommandError, run } from "./command.ts";
import { syncFolder } from "./connection-settings.ts";
import { describeFailure, EmbeddedPostgresError } from "./embedded-postgres-error.ts";
import { lastMeaningfulLine } from "./server-log.ts";

/** The superuser of the cluster and owner of the database. */
export const DATABASE_USER = "posthorn";

const DRAFT_PREFIX = "initdb-";

/** Whether there is a cluster at `clusterDir`. One of another major version than `majorVersion`, or none of PostgreSQL's, is an error. */
export async function hasCluster(clusterDir: string, majorVersion: string): Promise<boolean> {
  if (!(await stat(clusterDir).catch(() => undefined))) return false;
  const found = (await readFile(join(clusterDir, "PG_VERSION"), "utf8").catch(() => "")).trim();
  if (found === majorVersion) return true;
  throw new EmbeddedPostgresError(
    found
      ? `${clusterDir} holds data of PostgreSQL ${found} and this Posthorn brings PostgreSQL ${majorVersion}: dump it with PostgreSQL ${found} and load it here, set DATABASE_URL to a PostgreSQL ${found} that runs it, or move that folder away to start with an empty database.`
      : `${clusterDir} is not a PostgreSQL data directory (it has no PG_VERSION): move that folder away to start with an empty database.`,
  );
}

/**
 * Makes the cluster `<home>/data`. It is made under another name, brought to disk and then renamed, so that a folder of that name
 * is always a whole cluster: what an interrupted attempt has left is simply removed by the next.
 */
export async function createCluster(options: {
  home: string;
  clusterDir: string;
  account: Account | undefined;
  binaries: Binaries;
  password: string;
}): Promise<void> {
  const { home, clusterDir, account, binaries, password } = options;
  await removeDrafts(home);
  const draft = join(home, `${DRAFT_PREFIX}${randomUUID()}`);
  const passwordFile = join(draft, "password");
  const draftCluster = join(draft, "data");
  try {
    await mkdir(draft, { mode: 0o700 });
    await writeFile(passwordFile, password, { mode: 0o600 });
    if (account) {
      await chown(passwordFile, account.uid, account.gid);
      await chown(draft, account.uid, account.gid);
    }
    await run(
      binaries.initdb,
      [
        `--pgdata=${draftCluster}`,
        `--username=${DATABASE_USER}`,
        `--pwfile=${passwordFile}`,
        "--auth=scram-sha-256",
        "--encoding=UTF8",
        "--locale-provider=builtin",
        "--builtin-locale=C.UTF-8",
        "--no-sync",
        "--no-instructions",
      ],
      account,
    );
    await run(binaries.initdb, ["--sync-only", `--pgdata=${draftCluster}`], account);
    await rename(draftCluster, clusterDir);
    await syncFolder(home);
  } catch (error) {
    const reason = error instanceof CommandError ? lastMeaningfulLine(error.output) || error.message : error;
    throw describeFailure("The embedded database could not be created", reason, home);
  } finally {
    await rm(draft, { recursive: true, force: true }).catch(() => {});
  }
}

async function removeDrafts(home: string): Promise<void> {
  // An initdb that outlived its parent may still write into its draft; what is left goes next time.
  for (const entry of await readdir(home))
    if (entry.startsWith(DRAFT_PREFIX))
      await rm(join(home, entry), { recursive: true, force: true }).catch(() => {});
}
