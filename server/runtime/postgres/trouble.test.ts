import { appendFile, chmod, open, rm, truncate } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { findInstalledPackage } from "./binaries.ts";
import { run } from "./command.ts";
import {
  cleanUp,
  copyDataDir,
  IS_ROOT,
  makeDataDir,
  makeFolder,
  mountDisk,
  readSeeded,
  refusal,
  removeSeed,
  SEEDED,
  start,
} from "./test-support.ts";

const NO_DISK = "only root may mount a small disk";

afterEach(cleanUp, 30_000);
afterAll(removeSeed);

describe("startEmbeddedPostgres in trouble", () => {
  it("says which permission is missing when the folder may not be written", async ({ skip }) => {
    skip(IS_ROOT, "root may write everywhere; tried as another user in accounts.test.ts");
    const folder = await makeFolder();
    await chmod(folder, 0o555);
    expect(await refusal(await makeDataDir(folder))).toMatch(
      /^EmbeddedPostgresError: .*a permission is missing \(EACCES.*give this user access to/,
    );
    const dataDir = await copyDataDir();
    await chmod(dataDir, 0o555);
    expect(await refusal(dataDir)).toMatch(/^EmbeddedPostgresError: .*a permission is missing \(EACCES/);
    await chmod(dataDir, 0o755);
  });

  it("says that the disk is read-only, before the first start and after it", async ({ skip }) => {
    const disk = await makeFolder();
    skip(!(await mountDisk(disk, "100m")), NO_DISK);
    const dataDir = await copyDataDir(disk);
    await run("mount", ["-o", "remount,ro", disk], undefined);
    const readOnly = /^EmbeddedPostgresError: .*the disk is read-only \(EROFS.*set POSTHORN_DATA_DIR/;
    expect(await refusal(dataDir)).toMatch(readOnly);
    expect(await refusal(join(disk, "other"))).toMatch(readOnly);
    await run("mount", ["-o", "remount,rw", disk], undefined);
    expect(await readSeeded((await start(dataDir)).url)).toEqual(SEEDED);
  });

  it("says that the disk is full when it is too small for the database", async ({ skip }) => {
    const disk = await makeFolder();
    skip(!(await mountDisk(disk, "20m")), NO_DISK);
    const dataDir = await makeDataDir(disk);
    expect(await refusal(dataDir)).toMatch(
      /^EmbeddedPostgresError: .*the disk is full \(FATAL: could not .*\); free some space/,
    );
    await run("mount", ["-o", "remount,size=200m", disk], undefined);
    expect(await refusal(dataDir)).toBe("it started");
  });

  it("says that the disk is full when it has become so, and starts once there is room", async ({ skip }) => {
    const disk = await makeFolder();
    skip(!(await mountDisk(disk, "100m")), NO_DISK);
    const dataDir = await copyDataDir(disk);
    const ballast = join(disk, "ballast");
    const full = await fill(ballast);
    const answers: string[] = [];
    for (const freePages of [0, 1, 2, 3]) {
      await truncate(ballast, full - freePages * 4096);
      answers.push(await refusal(dataDir));
      await fill(ballast);
    }
    for (const answer of answers)
      expect(answer).toMatch(/^(EmbeddedPostgresError: .*disk is full.*; free some space .*|it started)$/);
    expect(answers[0]).toContain("disk is full");
    await rm(ballast);
    expect(await readSeeded((await start(dataDir)).url)).toEqual(SEEDED);
  });

  it("gives PostgreSQL's own reason when it does not start", async () => {
    const dataDir = await copyDataDir();
    await appendFile(join(dataDir, "postgres", "data", "postgresql.conf"), "no_such_setting = 1\n");
    expect(await refusal(dataDir)).toMatch(
      /^EmbeddedPostgresError: PostgreSQL did not start: FATAL: .*contains errors; look into .*\.posthorn\/postgres/,
    );
  });

  it("says so when the password of the database is lost or wrong", async () => {
    const dataDir = await copyDataDir();
    const settings = join(dataDir, "postgres", "connection.json");
    await truncate(settings);
    expect(await refusal(dataDir)).toMatch(
      /The password of the database in .* is lost .*: restore that file/,
    );
    await appendFile(settings, '{"password":"other"}');
    expect(await refusal(dataDir)).toMatch(/refuses the password kept in .*connection\.json/);
  });

  it("points to DATABASE_URL on a machine for which there are no binaries", async () => {
    await expect(findInstalledPackage("win32-x64")).rejects.toThrow(
      "There is no embedded PostgreSQL for win32-x64: set DATABASE_URL to a PostgreSQL 15 or newer.",
    );
  });
});

/** Fills the disk of `file` with it; gives its size. */
async function fill(file: string): Promise<number> {
  const handle = await open(file, "a");
  const page = Buffer.alloc(4096);
  try {
    for (;;) await handle.write(page);
  } catch {
    return (await handle.stat()).size;
  } finally {
    await handle.close();
  }
}
