import { existsSync } from "node:fs";
import { join } from "node:path";
import { checkDocs } from "./check-docs.ts";
import { checkMigrations } from "./check-migrations.ts";
import { checkWalls } from "./check-walls.ts";
import { lintOpenApi } from "./lint-openapi.ts";
import { runTool } from "./run-tool.ts";

const root = join(import.meta.dirname, "..");

/** One thing that must hold for the whole tree. */
interface Step {
  name: string;
  /** A file without which there is nothing to check. */
  needs?: string;
  /** Gives what is wrong, for people to read; nothing when all is well. */
  run(): Promise<string>;
}

/** How many things passed and failed, and how many were left out. */
export interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

const steps: Step[] = [
  tool("types", "tsc", ["--noEmit", "--incremental", "false", "-p", "."]),
  tool("lint and format", "biome", [
    "ci",
    "--colors=off",
    "--error-on-warnings",
    "--max-diagnostics=none",
    ".",
  ]),
  tool("dead code", "knip", ["--treat-config-hints-as-errors"]),
  { name: "migrations", run: checkMigrations },
  { name: "import walls", run: async () => (await checkWalls()).join("\n") },
  { name: "docs", run: async () => checkDocs().join("\n") },
  { ...tool("openapi", "node", ["scripts/openapi.ts", "--check"]), needs: "scripts/openapi.ts" },
  { name: "openapi linters", run: async () => (await lintOpenApi()).join("\n") },
];

function tool(name: string, program: string, args: string[]): Step {
  return {
    name,
    async run() {
      const { code, output } = await runTool(program, args);
      return code === 0 ? "" : output.trim() || `${program} ended with exit code ${code}`;
    },
  };
}

/** Runs every step, two at a time, and says how each went as soon as it is known. */
export async function runChecks(): Promise<Counts> {
  const counts: Counts = { passed: 0, failed: 0, skipped: 0 };
  const waiting = steps.values();
  const worker = async () => {
    for (const step of waiting) {
      if (step.needs && !existsSync(join(root, step.needs))) {
        counts.skipped += 1;
        console.log(`skipped ${step.name}  (there is no ${step.needs})`);
        continue;
      }
      const startedAt = performance.now();
      const problem = await step.run().catch((error: Error) => error.stack ?? error.message);
      const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
      counts[problem === "" ? "passed" : "failed"] += 1;
      console.log(
        problem === ""
          ? `ok      ${step.name}  ${seconds} s`
          : `FAILED  ${step.name}  ${seconds} s\n\n${problem}\n`,
      );
    }
  };
  await Promise.all([worker(), worker()]);
  return counts;
}
