import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";

const root = join(import.meta.dirname, "..");

/** A folder behind a wall: what Biome must refuse in it, and what it must let pass. */
interface Wall {
  folder: string;
  refused: string[];
  allowed: string[];
}

// Each folder may import what stands left of it in ARCHITECTURE.md's picture, and nothing else.
const importWalls: Wall[] = [
  {
    folder: "contracts",
    refused: [
      "#db/client.ts",
      "#server/errors.ts",
      "node:fs",
      "pg",
      "drizzle-orm",
      "next/server",
      "react",
      "undici",
    ],
    allowed: ["#contracts/ids.ts", "./ids.ts", "zod"],
  },
  {
    folder: "db/queries",
    refused: ["#server/errors.ts", "#workers/main.ts", "#app/page.tsx", "pg", "../../contracts/ids.ts"],
    allowed: ["#contracts/ids.ts", "#db/client.ts", "drizzle-orm"],
  },
  {
    folder: "server/domain",
    refused: [
      "#db/client.ts",
      "#server/errors.ts",
      "../errors.ts",
      "node:fs",
      "pg-boss",
      "undici",
      "drizzle-orm",
    ],
    allowed: ["#contracts/ids.ts", "./signing.ts", "node:crypto", "node:net"],
  },
  {
    folder: "server/orders",
    refused: [
      ...["#server/http/route.ts", "../http/route.ts", "#app/page.tsx", "#workers/main.ts", "#cli/main.ts"],
      ...[
        "#client/api.ts",
        "#components/shell.tsx",
        "#scripts/start.ts",
        "#tests/database.ts",
        "pg",
        "next/server",
        "react",
      ],
    ],
    allowed: ["#contracts/orders.ts", "#db/client.ts", "../domain/signing.ts", "#server/errors.ts"],
  },
  {
    folder: "server/http",
    refused: [
      "#app/page.tsx",
      "#workers/main.ts",
      "#cli/main.ts",
      "#client/api.ts",
      "pg",
      "next/server",
      "react",
    ],
    allowed: ["#contracts/orders.ts", "../orders/create-order.ts", "./route.ts"],
  },
  {
    folder: "workers/delivery",
    refused: [
      "#app/page.tsx",
      "#cli/main.ts",
      "#server/http/route.ts",
      "#client/api.ts",
      "#bench/main.ts",
      "pg",
      "next",
      "undici",
      "node:http",
    ],
    allowed: ["#server/domain/signing.ts", "#db/client.ts", "#contracts/orders.ts", "node:net"],
  },
  {
    folder: "app/api/v1",
    refused: ["#db/client.ts", "#workers/main.ts", "#cli/main.ts", "#tests/database.ts", "pg"],
    allowed: ["#server/http/route.ts", "#contracts/orders.ts"],
  },
  {
    folder: "app/(console)",
    refused: ["#server/http/route.ts", "#db/client.ts", "#workers/main.ts", "node:fs", "pg"],
    allowed: ["#client/api.ts", "#components/shell.tsx", "#contracts/orders.ts", "next/link"],
  },
  {
    folder: "components",
    refused: ["#server/errors.ts", "#db/client.ts", "#app/page.tsx", "node:fs"],
    allowed: ["#client/api.ts", "#contracts/orders.ts", "react"],
  },
  {
    folder: "client",
    refused: ["#components/shell.tsx", "#server/errors.ts", "#db/client.ts", "#app/page.tsx", "node:fs"],
    allowed: ["#contracts/orders.ts", "#sdk/index.ts", "react"],
  },
  {
    folder: "sdk",
    refused: ["#server/errors.ts", "#db/client.ts", "#client/api.ts", "node:fs", "undici", "react"],
    allowed: ["#contracts/orders.ts", "./retry.ts", "zod"],
  },
  {
    folder: "receiver",
    refused: ["#contracts/orders.ts", "#server/domain/signing.ts", "zod", "../server/errors.ts"],
    allowed: ["node:crypto", "./verify.ts"],
  },
  {
    folder: "example-consumer",
    refused: ["#server/domain/signing.ts", "#contracts/orders.ts", "#db/client.ts"],
    allowed: ["#receiver/index.ts", "node:http"],
  },
  {
    folder: "e2e",
    refused: ["#server/errors.ts", "#db/client.ts", "#workers/main.ts", "#client/api.ts"],
    allowed: ["#contracts/orders.ts", "#receiver/index.ts", "#tests/database.ts"],
  },
];

/** One file planted for Biome, and whether it must be refused by `rule`. */
interface Planted {
  path: string;
  source: string;
  rule: string;
  refused: boolean;
}

function plantings(): Planted[] {
  const imports = importWalls.flatMap(({ folder, refused, allowed }) =>
    [...refused, ...allowed].map((name, index) => ({
      path: `${folder}/planted-${index}.ts`,
      source: `import { planted } from ${JSON.stringify(name)};\nexport const kept = planted;\n`,
      rule: "lint/style/noRestrictedImports",
      refused: index < refused.length,
    })),
  );
  const rules: [rule: string, source: string, refusedIn: string[], allowedIn: string[]][] = [
    [
      "lint/style/noProcessEnv",
      "export const port = process.env.PORT;",
      ["server/orders", "workers/delivery", "app/api/v1"],
      ["server/settings"],
    ],
    [
      "plugin",
      'export const made = () => new Response("x", { status: 200 });',
      ["server/orders", "app/api/v1", "workers"],
      ["server/http", "receiver"],
    ],
    ["plugin", "export const now = () => Date.now();", ["server/domain"], ["server/orders", "workers"]],
    ["plugin", "export const now = () => new Date();", ["server/domain"], ["server/orders"]],
    ["plugin", "export const at = () => new Date(0);", [], ["server/domain"]],
    ["plugin", "export const chance = () => Math.random();", ["server/domain"], ["workers"]],
    [
      "plugin",
      "export const opened = (db: Db) => db.orm.transaction(async () => {});",
      ["db/queries", "server/orders", "workers"],
      [],
    ],
  ];
  const others = rules.flatMap(([rule, line, refusedIn, allowedIn], number) =>
    [...refusedIn, ...allowedIn].map((folder, index) => ({
      path: `${folder}/rule-${number}.ts`,
      source: `${line}\n`,
      rule,
      refused: index < refusedIn.length,
    })),
  );
  return [...imports, ...others];
}

/**
 * Proves that each wall of biome.json stands: plants one violation after the other, and what is
 * allowed beside each, in a temporary copy of the layout, and gives a line for each that Biome judges wrongly.
 * `config` is the folder of biome.json and of what it refers to.
 */
export async function checkWalls(config: string = root): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), "posthorn-walls-"));
  try {
    for (const name of ["biome.json", "package.json", ".gitignore", "scripts/lint"])
      await cp(join(config, name), join(folder, name), { recursive: true });
    const planted = plantings();
    for (const { path, source } of planted) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), source);
    }
    const reported = await lint(folder);
    return planted
      .filter(({ path, rule, refused }) => reported.has(`${path} ${rule}`) !== refused)
      .map(({ path, source, rule, refused }) => {
        const what = `${source.split("\n")[0]} in ${dirname(path)}/`;
        return refused ? `${rule} lets pass: ${what}` : `${rule} refuses what is allowed: ${what}`;
      });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** What Biome reports about the files in `folder`, as "path rule". */
async function lint(folder: string): Promise<Set<string>> {
  const biome = join(root, "node_modules", "@biomejs", "biome", "bin", "biome");
  const args = [biome, "lint", "--reporter=json", "--max-diagnostics=none", "."];
  const options = { cwd: folder, maxBuffer: 64 * 1024 * 1024 };
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args, options).catch(
    // Violations make Biome fail, which is what they are planted for.
    (error: { stdout: string; stderr: string }) => error,
  );
  if (!stdout.startsWith("{")) throw new Error(`Biome gave no report:\n${stdout}${stderr}`);
  const {
    diagnostics,
  }: { diagnostics: { category: string; location: { path: string | { file: string } } }[] } =
    JSON.parse(stdout);
  return new Set(
    diagnostics.map(
      ({ category, location: { path } }) => `${typeof path === "string" ? path : path.file} ${category}`,
    ),
  );
}
