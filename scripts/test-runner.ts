import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as z from "zod";
import type { Counts } from "./check-steps.ts";
import { toolPath } from "./run-tool.ts";

const root = join(import.meta.dirname, "..");
const isTerminal = process.stdout.isTTY === true;
const stopGraceMs = 15_000;

/** How one of the test runners is called, and how its JSON report is counted. */
export interface TestRunner {
  program: string;
  /** `report` is the file that the JSON report has to be written to. */
  args(report: string): string[];
  env(report: string): NodeJS.Dict<string>;
  count(report: unknown): Counts;
}

const VitestReport = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  numPendingTests: z.number(),
  numTodoTests: z.number(),
  testResults: z.array(z.object({ status: z.string(), assertionResults: z.array(z.unknown()) })),
});

/** Unit and integration tests. A file that cannot even be loaded counts as one failure. */
export const vitest: TestRunner = {
  program: "vitest",
  // Loaded by Node itself the configuration needs no file written beside it: the clone may belong to somebody else.
  args: (report) => [
    "run",
    "--configLoader=native",
    "--reporter=default",
    "--reporter=json",
    `--outputFile.json=${report}`,
  ],
  env: () => (isTerminal ? {} : { NO_COLOR: "1" }),
  count(report) {
    const { numPassedTests, numFailedTests, numPendingTests, numTodoTests, testResults } =
      VitestReport.parse(report);
    const unloaded = testResults.filter(
      ({ status, assertionResults }) => status === "failed" && assertionResults.length === 0,
    );
    return {
      passed: numPassedTests,
      failed: numFailedTests + unloaded.length,
      skipped: numPendingTests + numTodoTests,
    };
  },
};

const PlaywrightReport = z.object({
  stats: z.object({ expected: z.number(), unexpected: z.number(), flaky: z.number(), skipped: z.number() }),
  errors: z.array(z.unknown()),
});

/** The tests in a browser. Errors outside of any test (a set-up that failed) count as one failure each. */
export const playwright: TestRunner = {
  program: "playwright",
  args: () => ["test", "--reporter=list,json"],
  // It colours its workers by itself, so only this keeps it from colouring a log.
  env: (report) => ({ PLAYWRIGHT_JSON_OUTPUT_FILE: report, ...(isTerminal ? {} : { FORCE_COLOR: "0" }) }),
  count(report) {
    const { stats, errors } = PlaywrightReport.parse(report);
    return {
      passed: stats.expected,
      failed: stats.unexpected + stats.flaky + errors.length,
      skipped: stats.skipped,
    };
  },
};

/**
 * Runs one test runner with its output passed through, and counts its tests. `signal` asks it to stop in good order
 * and ends it by force when it has not after 15 s. A runner that fails though no test did counts as one failure.
 */
export async function runTests(
  runner: TestRunner,
  options: { filters: string[]; env: Record<string, string>; signal: AbortSignal },
): Promise<Counts> {
  const folder = await mkdtemp(join(tmpdir(), "posthorn-report-"));
  const report = join(folder, "report.json");
  try {
    const code = await spawnRunner(runner, report, options);
    const text = await readFile(report, "utf8").catch(() => undefined);
    const counts = text === undefined ? { passed: 0, failed: 0, skipped: 0 } : runner.count(JSON.parse(text));
    if (code !== 0 && counts.failed === 0 && !options.signal.aborted) {
      console.error(`${runner.program} ended with exit code ${code} although no test failed.`);
      counts.failed = 1;
    }
    return counts;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function spawnRunner(
  runner: TestRunner,
  report: string,
  { filters, env, signal }: { filters: string[]; env: Record<string, string>; signal: AbortSignal },
): Promise<number> {
  if (signal.aborted) return Promise.resolve(1);
  // In a process group of its own: Ctrl-C reaches it once, from here, and at the last everything it started can be ended.
  const child = spawn(
    join(root, "node_modules", ".bin", runner.program),
    [...runner.args(report), ...filters],
    {
      cwd: root,
      stdio: ["ignore", "inherit", "inherit"],
      detached: true,
      env: {
        ...process.env,
        PATH: toolPath,
        ...env,
        ...runner.env(report),
      },
    },
  );
  let force: NodeJS.Timeout | undefined;
  const stop = () => {
    child.kill("SIGINT");
    force = setTimeout(() => killGroup(child.pid), stopGraceMs);
  };
  signal.addEventListener("abort", stop, { once: true });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => {
      clearTimeout(force);
      signal.removeEventListener("abort", stop);
      if (signal.aborted) killGroup(child.pid);
      resolve(code ?? 1);
    });
  });
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // Nobody is left in it.
  }
}
