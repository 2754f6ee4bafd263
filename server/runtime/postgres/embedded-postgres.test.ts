import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { queryOnce } from "./connection.ts";
import { clusterDirOf } from "./home.ts";
import {
  cleanUp,
  copyDataDir,
  IS_ROOT,
  killServer,
  makeDataDir,
  makeFolder,
  readSeeded,
  refusal,
  removeSeed,
  SEEDED,
  serverOf,
  sharedDataDir,
  start,
  startElsewhere,
  until,
} from "./test-support.ts";

afterEach(cleanUp, 30_000);
afterAll(removeSeed);

describe("startEmbeddedPostgres", () => {
  it("makes a durable database on the first start and keeps it, and its URL, over restarts", async () => {
    const dataDir = await makeDataDir();
    const first = await start(dataDir);
    await queryOnce(first.url, "CREATE TABLE kept AS SELECT 42 AS answer");
    const settings = await queryOnce(
      first.url,
      `SELECT current_database() AS database, usesuper AS superuser, current_setting('fsync') AS fsync,
         current_setting('synchronous_commit') AS sync_commit, current_setting('listen_addresses') AS address,
         datlocprovider AS provider, pg_encoding_to_char(encoding) AS encoding
       FROM pg_user, pg_database WHERE usename = current_user AND datname = current_database()`,
    );
    expect(settings).toEqual([
      {
        ...{ database: "posthorn", superuser: true, fsync: "on", sync_commit: "on" },
        ...{ address: "127.0.0.1", provider: "b", encoding: "UTF8" },
      },
    ]);
    await first.stop();
    expect(await serverOf(dataDir)).toBeUndefined();

    const second = await start(dataDir);
    expect(second.url).toBe(first.url);
    expect(await queryOnce(second.url, "SELECT answer FROM kept")).toEqual([{ answer: 42 }]);
  });

  it("stops once, however often it is asked to", async () => {
    const dataDir = await sharedDataDir();
    const database = await start(dataDir);
    await Promise.all([database.stop(), database.stop()]);
    await database.stop();
    expect(await serverOf(dataDir)).toBeUndefined();
  });

  it("takes another port when the one of the last start is in use", async () => {
    const dataDir = await sharedDataDir();
    const first = await start(dataDir);
    await first.stop();
    const squatter = createServer().listen(Number(new URL(first.url).port), "127.0.0.1");
    await once(squatter, "listening");
    const second = await start(dataDir).finally(() => squatter.close());
    expect(second.url).not.toBe(first.url);
    expect(await readSeeded(second.url)).toEqual(SEEDED);
  });

  it("adopts the server that outlived its killed process, and stops it", async () => {
    const dataDir = await sharedDataDir();
    const launcher = startElsewhere(dataDir);
    const url = await launcher.answer;
    const orphan = await serverOf(dataDir);
    await launcher.kill();
    const lines: string[] = [];
    const database = await start(dataDir, (line) => lines.push(line));
    expect(database.url).toBe(url);
    expect(await serverOf(dataDir)).toEqual(orphan);
    expect(lines.join()).toContain(`still running (process ${orphan?.pid})`);
    await database.stop();
    expect(await serverOf(dataDir)).toBeUndefined();
  });

  it("starts again after the server was killed, with nothing lost", async () => {
    const dataDir = await sharedDataDir();
    const first = await start(dataDir);
    const killed = await killServer(dataDir);
    await first.stop();
    const second = await start(dataDir);
    expect((await serverOf(dataDir))?.pid).not.toBe(killed);
    expect(await readSeeded(second.url)).toEqual(SEEDED);
  });

  it("starts again after both were killed in the middle of a query, with nothing lost", async () => {
    const dataDir = await sharedDataDir();
    const query = "SELECT count(*) FROM generate_series(1, 1000000000000) WHERE pg_backend_pid() > 0";
    const launcher = startElsewhere(dataDir, { query });
    const url = await launcher.answer;
    const running = `SELECT 1 FROM pg_stat_activity WHERE state = 'active' AND query LIKE '%generate_series(1, 1%'
      AND pid <> pg_backend_pid()`;
    await until(async () => (await queryOnce(url, running)).length > 0);
    await killServer(dataDir);
    await launcher.kill();
    const database = await start(dataDir);
    expect(await readSeeded(database.url)).toEqual(SEEDED);
  });

  it("starts although postmaster.pid names a process that is another program by now", async () => {
    const dataDir = await sharedDataDir();
    const first = await start(dataDir);
    const lockFile = join(clusterDirOf(dataDir), "postmaster.pid");
    const [, ...rest] = (await readFile(lockFile, "utf8")).split("\n");
    await first.stop();
    // PostgreSQL itself sees through it when that process is another user's.
    const { uid, gid } = await stat(clusterDirOf(dataDir));
    const bystander = spawn("sleep", ["600"], IS_ROOT ? { uid, gid } : {});
    await once(bystander, "spawn");
    await writeFile(lockFile, [bystander.pid, ...rest].join("\n"));
    const second = await start(dataDir).finally(() => bystander.kill());
    expect(await readSeeded(second.url)).toEqual(SEEDED);
  });

  it("starts although a crash has left postmaster.pid empty", async () => {
    const dataDir = await sharedDataDir();
    await writeFile(join(clusterDirOf(dataDir), "postmaster.pid"), "");
    const database = await start(dataDir);
    expect(await readSeeded(database.url)).toEqual(SEEDED);
  });

  // Elsewhere than on Linux the system does not tell where a process works, and the server has to notice it itself.
  it.skipIf(process.platform !== "linux")("replaces an orphan whose folder was moved", async () => {
    const dataDir = await copyDataDir(await makeFolder());
    const launcher = startElsewhere(dataDir);
    await launcher.answer;
    await launcher.kill();
    const moved = await makeDataDir(await makeFolder());
    await rename(dataDir, moved);
    const database = await start(moved);
    expect(await readSeeded(database.url)).toEqual(SEEDED);
    expect(await queryOnce(database.url, "SHOW data_directory")).toEqual([
      { data_directory: clusterDirOf(moved) },
    ]);
  });

  it("leaves the server alone when Ctrl-C reaches the process group of the application", async () => {
    const dataDir = await sharedDataDir();
    const launcher = startElsewhere(dataDir);
    const url = await launcher.answer;
    const exit = once(launcher.process, "exit");
    process.kill(-(launcher.process.pid ?? 0), "SIGINT");
    expect(await exit).toEqual([null, "SIGINT"]);
    expect(await readSeeded(url)).toEqual(SEEDED);
  });

  it("makes the database anew when initdb was killed half way", async () => {
    const dataDir = await makeDataDir();
    const launcher = startElsewhere(dataDir);
    const draft = await untilInitdbHasBegun(dataDir);
    process.kill(-(launcher.process.pid ?? 0), "SIGKILL");
    await launcher.kill();
    expect(await refusalOfReading(clusterDirOf(dataDir))).toBe("ENOENT");
    const database = await start(dataDir);
    expect(await queryOnce(database.url, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
    expect(await refusalOfReading(draft)).toBe("ENOENT");
  });

  it("refuses a second start, naming the process that holds the data directory", async () => {
    const dataDir = await sharedDataDir();
    const launcher = startElsewhere(dataDir);
    const url = await launcher.answer;
    expect(await refusal(dataDir)).toBe(
      `EmbeddedPostgresError: The embedded PostgreSQL of ${dataDir} is already in use by process ${launcher.process.pid}: stop that one first, or set POSTHORN_DATA_DIR to another folder.`,
    );
    expect(await readSeeded(url)).toEqual(SEEDED);
    await launcher.kill();
    const database = await start(dataDir);
    expect(await refusal(dataDir)).toContain(`in use by process ${process.pid}:`);
    await database.stop();
    expect(await refusal(dataDir)).toBe("it started");
  });

  it("lets exactly one of two first starts at once succeed", async () => {
    const dataDir = await makeDataDir();
    const answers = await Promise.all([startElsewhere(dataDir).answer, startElsewhere(dataDir).answer]);
    expect(answers.filter((answer) => answer.startsWith("postgres://"))).toHaveLength(1);
    expect(answers.filter((answer) => answer.includes("is already in use by"))).toHaveLength(1);
  });

  it("refuses data of another major version and leaves it alone", async () => {
    const dataDir = await sharedDataDir();
    const versionFile = join(clusterDirOf(dataDir), "PG_VERSION");
    await writeFile(versionFile, "17\n");
    expect(await refusal(dataDir)).toMatch(
      /holds data of PostgreSQL 17 and this Posthorn brings PostgreSQL 18: /,
    );
    await rm(versionFile);
    expect(await refusal(dataDir)).toContain("is not a PostgreSQL data directory");
    await writeFile(versionFile, "18\n");
    expect(await refusal(dataDir)).toBe("it started");
  });
});

/** Gives the folder in which the first start of `dataDir` has begun to make the cluster. */
async function untilInitdbHasBegun(dataDir: string): Promise<string> {
  const home = join(dataDir, "postgres");
  let draft = "";
  await until(async () => {
    const names = await readdir(home).catch(() => []);
    draft = join(home, names.find((name) => name.startsWith("initdb-")) ?? "none");
    return (await refusalOfReading(join(draft, "data", "global"))) === undefined;
  });
  return draft;
}

function refusalOfReading(path: string): Promise<string | undefined> {
  return readdir(path).then(
    () => undefined,
    (error: NodeJS.ErrnoException) => error.code,
  );
}
