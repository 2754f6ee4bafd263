import { chmod, chown, lstat, readlink, rename, rm, stat, symlink } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { type Account, accountFor, closedFolderOnTheWay } from "./account.ts";
import { run } from "./command.ts";
import { queryOnce } from "./connection.ts";
import { clusterDirOf } from "./home.ts";
import {
  cleanUp,
  copyDataDir,
  IS_ROOT,
  makeDataDir,
  makeFolder,
  PROJECT,
  readSeeded,
  refusal,
  removeSeed,
  SEEDED,
  start,
  startElsewhere,
} from "./test-support.ts";

const NOBODY: Account = { uid: 65534, gid: 65534 };
const SERVER_ACCOUNT = IS_ROOT ? await accountFor("/nonexistent") : undefined;
const NOT_READABLE =
  IS_ROOT && (await closedFolderOnTheWay(PROJECT, NOBODY)) ? "this folder is closed to other users" : "";

afterEach(cleanUp, 30_000);
afterAll(removeSeed);

describe.skipIf(!IS_ROOT)("startEmbeddedPostgres as root", () => {
  it("runs the server as an unprivileged account and keeps the password to itself", async () => {
    const dataDir = await makeDataDir();
    const database = await start(dataDir);
    expect(await stat(clusterDirOf(dataDir))).toMatchObject({ ...SERVER_ACCOUNT, mode: 0o40700 });
    const settings = await stat(join(dataDir, "postgres", "connection.json"));
    expect(settings).toMatchObject({ uid: 0, mode: 0o100600 });
    expect(await queryOnce(database.url, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
  });

  it("lets only that account into a data directory that was root's alone", async () => {
    const dataDir = await copyDataDir();
    await rm(join(dataDir, "postgres"), { recursive: true });
    await chmod(dataDir, 0o700);
    expect(await refusal(dataDir)).toBe("it started");
    expect(await stat(dataDir)).toMatchObject({ uid: 0, gid: SERVER_ACCOUNT?.gid, mode: 0o40710 });
  });

  it("leaves a user's database to that user", async ({ skip }) => {
    skip(NOT_READABLE !== "", NOT_READABLE);
    const folder = await makeFolder();
    await chown(folder, NOBODY.uid, NOBODY.gid);
    const dataDir = await makeDataDir(folder);
    const launcher = startElsewhere(dataDir, { account: NOBODY });
    expect(await launcher.answer).toMatch(/^postgres:/);
    await launcher.kill();
    await (await start(dataDir)).stop();
    await start(dataDir);
    expect(await stat(clusterDirOf(dataDir))).toMatchObject(NOBODY);
  });

  it("asks for the right owner when the database has been given to root", async () => {
    const dataDir = await copyDataDir();
    await chown(clusterDirOf(dataDir), 0, 0);
    expect(await refusal(dataDir)).toMatch(/belongs to root, .*"chown -R postgres/);
  });
});

describe.skipIf(!IS_ROOT)("startEmbeddedPostgres as root in a closed folder", () => {
  it("keeps the database elsewhere, over restarts and when the folder is moved", async () => {
    const closed = await makeClosedFolder();
    const dataDir = await makeDataDir(closed);
    const first = await start(dataDir);
    await queryOnce(first.url, "CREATE TABLE kept AS SELECT 42 AS answer");
    const home = await readlink(join(dataDir, "postgres"));
    expect(home).toMatch(/^\/var\/lib\/posthorn\//);
    await first.stop();

    const moved = await makeDataDir(await makeClosedFolder());
    await rename(dataDir, moved);
    const second = await start(moved);
    expect(await readSeeded(second.url)).toEqual(SEEDED);
    await second.stop();

    await run("cp", ["-a", moved, dataDir], undefined);
    expect(await refusal(dataDir)).toContain(
      `${dataDir} is a copy of ${moved}, whose database is in ${home}`,
    );
    await rm(dataDir, { recursive: true });
  });

  it("starts empty once the data directory is deleted, and tells where the earlier database is", async () => {
    const dataDir = await makeDataDir(await makeClosedFolder());
    await (await start(dataDir)).stop();
    const earlier = await readlink(join(dataDir, "postgres"));
    await rm(dataDir, { recursive: true });
    const lines: string[] = [];
    try {
      const second = await start(dataDir, (line) => lines.push(line));
      expect(lines).toContain(
        `An earlier database of ${dataDir} is still in ${earlier}; delete that folder if it is not needed.`,
      );
      expect(await readlink(join(dataDir, "postgres"))).not.toBe(earlier);
      await second.stop();
    } finally {
      await rm(earlier, { recursive: true });
    }
  });

  it("does not start empty when the folder that held the database is gone", async () => {
    const dataDir = await copyDataDir(await makeClosedFolder());
    const place = join(dataDir, "postgres");
    await rm(place, { recursive: true });
    await symlink("/var/lib/posthorn/gone", place);
    expect(await refusal(dataDir)).toContain(`delete the link ${place} to start with an empty database`);
    expect((await lstat(place)).isSymbolicLink()).toBe(true);
  });

  it("says which folder is closed when an existing database has become unreachable", async () => {
    const closed = await makeClosedFolder();
    const dataDir = await copyDataDir(closed);
    expect(await refusal(dataDir)).toContain(`may not enter ${closed}, under which`);
    await chmod(closed, 0o711);
    expect(await refusal(dataDir)).toBe("it started");
  });
});

describe.skipIf(!IS_ROOT)("startEmbeddedPostgres as another user", () => {
  it.for([
    { name: "nobody", account: NOBODY },
    { name: "the account of the server", account: SERVER_ACCOUNT ?? NOBODY },
  ])("starts as $name", async ({ account }, { skip }) => {
    skip(NOT_READABLE !== "", NOT_READABLE);
    const folder = await makeFolder();
    await chown(folder, account.uid, account.gid);
    const dataDir = await makeDataDir(folder);
    const launcher = startElsewhere(dataDir, { account });
    expect(await queryOnce(await launcher.answer, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
    expect(await stat(clusterDirOf(dataDir))).toMatchObject(account);
  });

  it("says which permission is missing when the folder may not be written", async ({ skip }) => {
    skip(NOT_READABLE !== "", NOT_READABLE);
    const launcher = startElsewhere(await makeDataDir(), { account: NOBODY });
    expect(await launcher.answer).toMatch(
      /^EmbeddedPostgresError: .*a permission is missing \(EACCES.*give this user access to/,
    );
  });

  it("does not touch the database of somebody else", async ({ skip }) => {
    skip(NOT_READABLE !== "", NOT_READABLE);
    const dataDir = await copyDataDir();
    await chown(dataDir, NOBODY.uid, NOBODY.gid);
    await run("chmod", ["666", join(dataDir, "postgres.lock")], undefined);
    const launcher = startElsewhere(dataDir, { account: NOBODY });
    expect(await launcher.answer).toMatch(
      /belongs to user \d+ and this process runs as user 65534: start as/,
    );
  });
});

async function makeClosedFolder(): Promise<string> {
  const folder = await makeFolder();
  await chmod(folder, 0o700);
  return folder;
}
