import { open, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { boundLog, lastMeaningfulLine } from "./server-log.ts";
import { cleanUp, makeFolder, until } from "./test-support.ts";

afterEach(cleanUp);

describe("lastMeaningfulLine", () => {
  it("finds the line that tells why a server ended, without time and pid", () => {
    const log = `2026-01-02 03:04:05.678 UTC [123] LOG:  starting PostgreSQL 18.4
2026-01-02 03:04:05.679 UTC [123] FATAL:  could not write lock file "postmaster.pid": No space left on device
2026-01-02 03:04:05.680 UTC [123] LOG:  database system is shut down
`;
    expect(lastMeaningfulLine(log)).toBe(
      'FATAL: could not write lock file "postmaster.pid": No space left on device',
    );
  });

  it("prefers the line that names the cause to what followed from it", () => {
    const log = `2026-01-02 03:04:05.678 UTC [123] PANIC:  could not write to file "pg_wal/xlogtemp.9": No space left on device
2026-01-02 03:04:05.679 UTC [124] FATAL:  the database system is starting up
2026-01-02 03:04:05.680 UTC [123] PANIC:  cannot abort transaction 1, it was already committed
`;
    expect(lastMeaningfulLine(log)).toMatch(/^PANIC: could not write to file/);
  });

  it("falls back to the last line that is not empty, and to nothing", () => {
    expect(lastMeaningfulLine("one\n\ntwo \n\n")).toBe("two");
    expect(lastMeaningfulLine("\n")).toBe("");
  });
});

describe("boundLog", () => {
  it("cuts a log that has grown long, keeps the old part beside it and lets the server write on", async () => {
    const logFile = join(await makeFolder(), "postgres.log");
    await writeFile(logFile, "x".repeat(8 * 1024 * 1024 + 1));
    const server = await open(logFile, "a");
    const unbound = boundLog(logFile);
    await until(async () => (await stat(logFile)).size === 0);
    await server.write("after");
    await server.close();
    unbound();
    expect(await readFile(logFile, "utf8")).toBe("after");
    expect((await stat(`${logFile}.1`)).size).toBe(8 * 1024 * 1024 + 1);
    await rm(`${logFile}.1`);
  });

  it("leaves a short log and a missing one alone", async () => {
    const logFile = join(await makeFolder(), "postgres.log");
    boundLog(logFile)();
    await writeFile(logFile, "short");
    boundLog(logFile)();
    expect(await readFile(logFile, "utf8")).toBe("short");
  });
});
