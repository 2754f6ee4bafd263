import { cp, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { runTool } from "./run-tool.ts";

const root = join(import.meta.dirname, "..");

/**
 * Gives what stands between db/schema and db/migrations: nothing when `drizzle-kit generate`, run on a temporary copy
 * of the migrations, has nothing to add and `drizzle-kit check` finds them consistent.
 */
export async function checkMigrations(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "posthorn-migrations-"));
  try {
    const copy = join(folder, "migrations");
    await cp(join(root, "db", "migrations"), copy, { recursive: true });
    const before = await readdir(copy);
    const config = join(folder, "drizzle.config.ts");
    const original = join(root, "drizzle.config.ts");
    // drizzle-kit puts "./" before `out`, so the way to the copy starts at the project.
    await writeFile(
      config,
      `import config from ${JSON.stringify(original)};\nexport default { ...config, out: ${JSON.stringify(relative(root, copy))} };\n`,
    );
    // drizzle-kit exits with 0 whatever happens (a renamed column makes it ask, and nobody answers): only its words tell.
    for (const [command, allIsWell] of [
      ["check", "Everything's fine"],
      ["generate", "No schema changes, nothing to migrate"],
    ] as const) {
      const { output } = await runTool("drizzle-kit", [command, "--config", config], { timeoutMs: 60_000 });
      if (!output.includes(allIsWell)) {
        const added = (await readdir(copy)).filter((name) => !before.includes(name));
        const texts = added.map(async (name) => `${name}\n${await readFile(join(copy, name), "utf8")}`);
        return [
          "db/schema and db/migrations differ; run: npm run migration",
          output,
          ...(await Promise.all(texts)),
        ].join("\n\n");
      }
    }
    return "";
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
