import { parseArgs } from "node:util";
import { openTestServer } from "#tests/postgres-server.ts";
import { type Counts, runChecks } from "./check-steps.ts";
import { installedChromium } from "./chromium.ts";
import { playwright, runTests, vitest } from "./test-runner.ts";

const usage = `usage: npm test -- [--unit | --e2e] [filter ...]

Without arguments everything runs: the checks, the unit and integration tests, the tests in a browser.

  --unit        only the unit and integration tests
  --e2e         only the tests in a browser
  filter ...    only the test files whose path contains one of these (unit and integration tests, unless --e2e)

DATABASE_URL names the PostgreSQL to use; its role must be allowed to create databases. Every database that is made
is called posthorn_test_<random> and dropped at the end. Without it an embedded one runs in a temporary folder.
CHROMIUM_PATH names another browser than the one from npm.
`;

/** What was asked for on the command line. */
interface Wanted {
  checks: boolean;
  unit: boolean;
  e2e: boolean;
  filters: string[];
}

function readArguments(): Wanted {
  const { values, positionals: filters } = parseCommandLine();
  if (values.help) {
    console.log(usage);
    process.exit(0);
  }
  const everything = !values.unit && !values.e2e && filters.length === 0;
  return {
    checks: everything,
    unit: everything || values.unit === true || (filters.length > 0 && !values.e2e),
    e2e: everything || values.e2e === true,
    filters,
  };
}

function parseCommandLine() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: { unit: { type: "boolean" }, e2e: { type: "boolean" }, help: { type: "boolean", short: "h" } },
    });
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n\n${usage}`);
    process.exit(2);
  }
}

async function runAll({ checks, unit, e2e, filters }: Wanted, signal: AbortSignal): Promise<Counts> {
  const total: Counts = { passed: 0, failed: 0, skipped: 0 };
  const section = async (title: string, work: () => Promise<Counts>) => {
    if (signal.aborted) return;
    console.log(`\n── ${title} ${"─".repeat(76 - title.length)}\n`);
    const counts = await work().catch((error: Error) => {
      console.error(error.stack);
      return { passed: 0, failed: 1, skipped: 0 };
    });
    for (const key of ["passed", "failed", "skipped"] as const) total[key] += counts[key];
  };

  if (checks) await section("checks", runChecks);
  if (unit)
    await section("unit and integration tests", async () => {
      const server = await openTestServer();
      try {
        const env = { TEST_DATABASE_URL: server.url, TEST_DATABASE_PREFIX: server.prefix };
        return await runTests(vitest, { filters, env, signal });
      } finally {
        await server.close();
      }
    });
  if (e2e)
    await section("tests in a browser", async () => {
      await installedChromium(console.log);
      return runTests(playwright, { filters, env: {}, signal });
    });
  return total;
}

const wanted = readArguments();
const interrupt = new AbortController();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => interrupt.abort());

const { passed, failed, skipped } = await runAll(wanted, interrupt.signal);
console.log(interrupt.signal.aborted ? "\nInterrupted.\n" : "");
console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
process.exitCode = failed > 0 || passed === 0 || interrupt.signal.aborted ? 1 : 0;
