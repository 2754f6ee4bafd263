import { spawn } from "node:child_process";
import { join } from "node:path";
import { expect } from "vitest";
import { connect, type Db } from "#db/client.ts";
import { compileCache } from "#tests/compile-cache.ts";
import { createTestDatabase } from "#tests/database.ts";

const MAIN = join(import.meta.dirname, "main.ts");

/** How a command ended, and what it wrote. */
export interface Ran {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs the command line as a process of its own, with these settings and no others. */
export function runCli(args: readonly string[], settings: Record<string, string> = {}): Promise<Ran> {
  const child = spawn(process.execPath, [MAIN, ...args], {
    cwd: join(import.meta.dirname, ".."),
    env: { NODE_ENV: "production", ...compileCache, ...settings },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ran: Ran = { code: null, stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    ran.stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    ran.stderr += text;
  });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve({ ...ran, code }));
  });
}

/** The command line on a database of its own. */
export interface TestCli {
  url: string;
  db: Db;
  run(...args: string[]): Promise<Ran>;
  /** Runs what must not fail; gives its standard output. */
  made(...args: string[]): Promise<string>;
  /** Runs what must be refused as wrong input: one line that matches, exit code 2, and nothing on standard output. */
  refused(args: string[], line: RegExp): Promise<void>;
  close(): Promise<void>;
}

export async function openTestCli(): Promise<TestCli> {
  const { url, drop } = await createTestDatabase();
  const db = connect(url, { name: "cli-test", maxConnections: 2 });
  const run = (...args: string[]) => runCli(args, { DATABASE_URL: url });
  return {
    url,
    db,
    run,
    async made(...args) {
      const { code, stdout, stderr } = await run(...args);
      expect([code, stderr]).toEqual([0, expect.anything()]);
      return stdout.trimEnd();
    },
    async refused(args, line) {
      const { code, stdout, stderr } = await run(...args);
      expect(stderr).toMatch(line);
      expect([code, stdout, stderr.trimEnd().split("\n").length]).toEqual([2, "", 1]);
    },
    async close() {
      await db.close();
      await drop();
    },
  };
}
