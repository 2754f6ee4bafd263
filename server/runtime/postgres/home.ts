import { randomUUID } from "node:crypto";
import {
  chmod,
  chown,
  lstat,
  mkdir,
  readdir,
  readFile,
  readlink,
  realpath,
  rm,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises";
import { dirname, join } from "node:path";
import { type Account, closedFolderOnTheWay } from "./account.ts";
import { EmbeddedPostgresError } from "./embedded-postgres-error.ts";

const SHARED_ROOT = "/var/lib/posthorn";
const CLUSTER = "data";

/** Where the cluster of `dataDir` lies once it exists, through the link if the home is elsewhere. */
export function clusterDirOf(dataDir: string): string {
  return join(dataDir, "postgres", CLUSTER);
}

/**
 * The folder that holds all of one database: `data` (the cluster), `connection.json`, `postgres.log` and, where the installed
 * ones cannot be used, `native-<version>` (a copy of the binaries). Made when it is missing; gives its real path.
 *
 * It is `<dataDir>/postgres`. As root, PostgreSQL runs as another account, which may be unable to reach that (a project under
 * /root): then it is made at `/var/lib/posthorn/<id>`, `<dataDir>/postgres` is a link to it, and `owner` in it names `dataDir`.
 * The link is what counts, so a moved project folder keeps its database; a copied one is told so. Removing `dataDir` asks for an
 * empty database: the next start makes a new home and tells where the earlier one is, since no finished cluster is ever deleted.
 */
export async function openHome(
  dataDir: string,
  account: Account | undefined,
  onProgress: (line: string) => void,
): Promise<string> {
  const place = join(dataDir, "postgres");
  const existing = await lstat(place).catch(() => undefined);
  const home = existing?.isSymbolicLink()
    ? await followLink(dataDir, place)
    : existing || (await isReachable(dataDir, account))
      ? await makeFolder(place, account ? 0o755 : 0o700)
      : await makeSharedHome(dataDir, place, onProgress);
  const closed = account && (await closedFolderOnTheWay(home, account));
  if (closed)
    throw new EmbeddedPostgresError(
      `The account that runs PostgreSQL (user ${account.uid}) may not enter ${closed}, under which the database ${home} lies: allow it with "chmod o+x ${closed}", or move the database back to where it was.`,
    );
  return realpath(home);
}

/** Whether `account` can get into `dataDir`. One that is root's alone (made under a strict umask) lets its group through. */
async function isReachable(dataDir: string, account: Account | undefined): Promise<boolean> {
  if (!account) return true;
  if (await closedFolderOnTheWay(dirname(dataDir), account)) return false;
  const { uid, mode } = await stat(dataDir);
  if (uid === 0 && (mode & 0o077) === 0) {
    await chown(dataDir, 0, account.gid);
    await chmod(dataDir, 0o710);
  }
  return !(await closedFolderOnTheWay(dataDir, account));
}

async function makeSharedHome(
  dataDir: string,
  place: string,
  onProgress: (line: string) => void,
): Promise<string> {
  await makeFolder(SHARED_ROOT, 0o755);
  await reportEarlierHomes(dataDir, onProgress);
  const home = join(SHARED_ROOT, randomUUID());
  onProgress(`The account of PostgreSQL cannot reach ${dataDir}; the database is kept in ${home}.`);
  await makeFolder(home, 0o755);
  await writeFile(join(home, "owner"), dataDir);
  await symlink(home, place);
  return home;
}

/** Homes of this very `dataDir` that nothing links to any more: it was deleted, or a start was killed before its link was made. */
async function reportEarlierHomes(dataDir: string, onProgress: (line: string) => void): Promise<void> {
  for (const id of await readdir(SHARED_ROOT)) {
    const home = join(SHARED_ROOT, id);
    if ((await ownerOf(home)) !== dataDir) continue;
    if (await stat(join(home, CLUSTER)).catch(() => undefined))
      onProgress(
        `An earlier database of ${dataDir} is still in ${home}; delete that folder if it is not needed.`,
      );
    else await rm(home, { recursive: true, force: true });
  }
}

async function followLink(dataDir: string, place: string): Promise<string> {
  const home = await readlink(place);
  const owner = await ownerOf(home);
  if (owner === undefined)
    throw new EmbeddedPostgresError(
      `The database of ${dataDir} was kept in ${home}, which cannot be read: bring that folder back, or delete the link ${place} to start with an empty database.`,
    );
  if (owner === dataDir) return home;
  const linked = await readlink(join(owner, "postgres")).catch(() => undefined);
  if (linked === home)
    throw new EmbeddedPostgresError(
      `${dataDir} is a copy of ${owner}, whose database is in ${home}: delete the link ${place} to start the copy with an empty database.`,
    );
  await writeFile(join(home, "owner"), dataDir);
  return home;
}

function ownerOf(home: string): Promise<string | undefined> {
  return readFile(join(home, "owner"), "utf8").catch(() => undefined);
}

/** Makes a folder with exactly this mode, whatever the umask; one that exists is left as it is. */
async function makeFolder(path: string, mode: number): Promise<string> {
  if (await mkdir(path, { recursive: true })) await chmod(path, mode);
  return path;
}
