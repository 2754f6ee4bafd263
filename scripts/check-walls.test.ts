import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { checkWalls } from "./check-walls.ts";

it("names every violation that a configuration without walls lets pass, and every import that one without doors refuses", async () => {
  const folder = await mkdtemp(join(tmpdir(), "posthorn-no-walls-"));
  try {
    for (const name of ["package.json", ".gitignore"]) await writeFile(join(folder, name), "{}");
    await mkdir(join(folder, "scripts", "lint"), { recursive: true });
    await writeFile(join(folder, "biome.json"), "{}");
    const open = await checkWalls(folder);
    expect(open).toContain(
      'lint/style/noRestrictedImports lets pass: import { planted } from "#db/client.ts"; in contracts/',
    );
    expect(open.filter((line) => line.includes("refuses what is allowed"))).toEqual([]);

    const everything = {
      noRestrictedImports: { level: "error", options: { patterns: [{ group: ["**"] }] } },
    };
    await writeFile(join(folder, "biome.json"), JSON.stringify({ linter: { rules: { style: everything } } }));
    const closed = await checkWalls(folder);
    expect(closed).toContain(
      'lint/style/noRestrictedImports refuses what is allowed: import { planted } from "zod"; in contracts/',
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
