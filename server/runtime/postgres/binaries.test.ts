import { chmod, cp, readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { accountFor } from "./account.ts";
import {
  findInstalledPackage,
  type InstalledPackage,
  prepareBinaries,
  removeOtherCopies,
} from "./binaries.ts";
import { cleanUp, IS_ROOT, makeFolder } from "./test-support.ts";

afterEach(cleanUp, 30_000);

const account = await accountFor("/nonexistent");

describe("prepareBinaries", () => {
  it("uses the installed binaries as they are", async () => {
    const installed = await findInstalledPackage();
    const home = await makeFolder();
    const binaries = await prepareBinaries({ installed, home, account, onProgress: () => {} });
    // From a project folder that the account cannot enter they can only be copied.
    if (!binaries.copy) expect(binaries.postgres).toBe(join(installed.nativeDir, "bin", "postgres"));
    expect(binaries.majorVersion).toBe("18");
  });

  it("makes the links and rights that npm left out with --ignore-scripts", async () => {
    const installed = await installWithoutScripts();
    const home = await makeFolder();
    const binaries = await prepareBinaries({ installed, home, account, onProgress: () => {} });
    expect(binaries.copy).toBeUndefined();
    expect(binaries.initdb).toBe(join(installed.nativeDir, "bin", "initdb"));
    expect(await readdir(home)).toEqual([]);
  });

  it("repairs a copy when the installed ones may not be written or reached, and uses it again", async () => {
    const installed = await installWithoutScripts();
    // Root may write anything, but what it starts as another account may not come this way.
    await chmod(join(installed.nativeDir, "bin"), 0o555);
    await chmod(join(installed.nativeDir, "lib"), 0o555);
    await chmod(join(installed.nativeDir, "bin", "initdb"), 0o444);
    await chmod(join(installed.nativeDir, ".."), IS_ROOT ? 0o700 : 0o555);
    const home = await makeFolder();
    const lines: string[] = [];
    const prepare = () =>
      prepareBinaries({ installed, home, account, onProgress: (line) => lines.push(line) });
    const first = await prepare();
    expect(first.copy).toBe(`native-${installed.version}`);
    const { ino } = await stat(first.postgres);
    const second = await prepare();
    expect(second).toEqual(first);
    expect((await stat(second.postgres)).ino).toBe(ino);
    expect(lines).toEqual([
      `Copying the PostgreSQL binaries to ${join(home, `native-${installed.version}`)}`,
    ]);
    await removeOtherCopies(home, first.copy);
    expect(await readdir(home)).toEqual([first.copy]);
    await removeOtherCopies(home, undefined);
    expect(await readdir(home)).toEqual([]);
  });

  it("says why when nothing helps", async () => {
    const installed = await installWithoutScripts();
    await rm(join(installed.nativeDir, "lib", "libicudata.so.60.2"));
    const home = await makeFolder();
    await expect(prepareBinaries({ installed, home, account, onProgress: () => {} })).rejects.toThrow(
      /^The embedded PostgreSQL does not run on this machine: .*libicudata.*; look into .*, or set DATABASE_URL/,
    );
  });
});

/** The installed package as npm leaves it when it runs no install script, and without the right to execute. */
async function installWithoutScripts(): Promise<InstalledPackage> {
  const { nativeDir: original, version } = await findInstalledPackage();
  const nativeDir = join(await makeFolder(), "native");
  await cp(original, nativeDir, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (file) => !file.endsWith(".a"),
  });
  const links: { target: string }[] = JSON.parse(await readFile(join(nativeDir, "pg-symlinks.json"), "utf8"));
  for (const { target } of links) await rm(join(nativeDir, "..", target), { force: true });
  for (const program of await readdir(join(nativeDir, "bin")))
    await chmod(join(nativeDir, "bin", program), 0o644);
  return { nativeDir, version };
}
