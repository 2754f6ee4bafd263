import { randomUUID } from "node:crypto";
import { chmod, cp, lstat, readdir, readFile, rename, rm, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import type { Account } from "./account.ts";
import { CommandError, run } from "./command.ts";
import { describeFailure, EmbeddedPostgresError } from "./embedded-postgres-error.ts";
import { lastMeaningfulLine } from "./server-log.ts";

/** PostgreSQL as npm installed it. */
export interface InstalledPackage {
  readonly nativeDir: string;
  readonly version: string;
}

/** Programs that have been seen to run as the account they are for. */
export interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
  readonly majorVersion: string;
  /** The name of the copy in the home that they are from, if they are. */
  readonly copy: string | undefined;
}

const PLATFORMS = ["linux-x64", "linux-arm64", "darwin-x64", "darwin-arm64"];
const COPY_PREFIX = "native-";

/** Finds the installed binaries for this machine. */
export async function findInstalledPackage(
  platform = `${process.platform}-${process.arch}`,
): Promise<InstalledPackage> {
  if (!PLATFORMS.includes(platform))
    throw new EmbeddedPostgresError(
      `There is no embedded PostgreSQL for ${platform}: set DATABASE_URL to a PostgreSQL 15 or newer.`,
    );
  try {
    const main = createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}`);
    const packageDir = dirname(dirname(main));
    const { version } = JSON.parse(await readFile(join(packageDir, "package.json"), "utf8"));
    return { nativeDir: join(packageDir, "native"), version };
  } catch (error) {
    throw new EmbeddedPostgresError(
      `The package @embedded-postgres/${platform} is not installed: run "npm install" without leaving out optional dependencies, or set DATABASE_URL.`,
      { cause: error },
    );
  }
}

/**
 * Gives binaries that `account` can run: the installed ones; else those after repair (npm may have been told to run no install
 * scripts, so links between libraries and the right to execute may be missing); else a repaired copy in `home`, for when
 * node_modules is not writable or lies where the account cannot reach it.
 */
export async function prepareBinaries(options: {
  installed: InstalledPackage;
  home: string;
  account: Account | undefined;
  onProgress: (line: string) => void;
}): Promise<Binaries> {
  const { installed, home, account, onProgress } = options;
  const direct = await tryBinaries(installed.nativeDir, account);
  if (direct.binaries) return direct.binaries;
  await repair(installed.nativeDir).catch(() => {});
  const repaired = await tryBinaries(installed.nativeDir, account);
  if (repaired.binaries) return repaired.binaries;

  const name = `${COPY_PREFIX}${installed.version}`;
  const target = join(home, name);
  if (!(await lstat(target).catch(() => undefined))) {
    onProgress(`Copying the PostgreSQL binaries to ${target}`);
    await copyBinaries(installed.nativeDir, target);
  }
  const copied = await tryBinaries(target, account);
  if (copied.binaries) return { ...copied.binaries, copy: name };
  throw describeFailure("The embedded PostgreSQL does not run on this machine", copied.reason, home);
}

/** Removes copies that are not in use: of other versions, and those of which the copying was interrupted. */
export async function removeOtherCopies(home: string, kept: string | undefined): Promise<void> {
  for (const entry of await readdir(home))
    if (entry.startsWith(COPY_PREFIX) && entry !== kept)
      await rm(join(home, entry), { recursive: true, force: true }).catch(() => {});
}

async function tryBinaries(
  nativeDir: string,
  account: Account | undefined,
): Promise<{ binaries: Binaries; reason?: never } | { binaries?: never; reason: string }> {
  const initdb = join(nativeDir, "bin", "initdb");
  const postgres = join(nativeDir, "bin", "postgres");
  try {
    const [version] = await Promise.all([
      run(postgres, ["--version"], account),
      run(initdb, ["--version"], account),
    ]);
    const majorVersion = version.match(/(\d+)/)?.[1] ?? "";
    return { binaries: { initdb, postgres, majorVersion, copy: undefined } };
  } catch (error) {
    const output = error instanceof CommandError ? lastMeaningfulLine(error.output) : "";
    return { reason: output || (error instanceof Error ? error.message : String(error)) };
  }
}

async function copyBinaries(nativeDir: string, target: string): Promise<void> {
  const draft = `${target}.${randomUUID()}`;
  try {
    await cp(nativeDir, draft, {
      recursive: true,
      verbatimSymlinks: true,
      filter: (file) => !file.endsWith(".a"),
    });
    // Another account is to read it, whatever the umask under which the originals were installed.
    await chmod(draft, 0o755);
    for (const entry of await readdir(draft, { recursive: true, withFileTypes: true }))
      if (!entry.isSymbolicLink())
        await chmod(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o755 : 0o644);
    await repair(draft);
    await rename(draft, target);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    throw error;
  }
}

/** Does what the package's install script does, and gives the right to execute. */
async function repair(nativeDir: string): Promise<void> {
  for (const program of await readdir(join(nativeDir, "bin")))
    await chmod(join(nativeDir, "bin", program), 0o755);
  const links: { source: string; target: string }[] = JSON.parse(
    await readFile(join(nativeDir, "pg-symlinks.json"), "utf8"),
  );
  for (const { source, target } of links) {
    const link = join(nativeDir, relative("native", target));
    await symlink(relative(dirname(target), source), link).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error;
    });
  }
}
