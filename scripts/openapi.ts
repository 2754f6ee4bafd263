import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { operations } from "#contracts/index.ts";
import { API_PREFIX } from "#server/http/api.ts";
import { openApiDocument } from "#server/http/openapi/document.ts";
import { VERSION } from "#server/runtime/version.ts";

const PATH = join(import.meta.dirname, "..", "docs", "openapi.json");
/** Stands for the origin of a deployment; each serves its own at `/api/v1/openapi.json`. */
const ORIGIN = "https://posthorn.example";

/** Writes docs/openapi.json; with `--check` it only says whether the file is what the code makes. */
const document = openApiDocument({ operations, origin: ORIGIN, prefix: API_PREFIX, version: VERSION });
const text = `${JSON.stringify(document, null, 2)}\n`;
if (!process.argv.includes("--check")) {
  await writeFile(PATH, text);
} else if ((await readFile(PATH, "utf8").catch(() => "")) !== text) {
  console.error("docs/openapi.json is not what the contract says; run: npx node scripts/openapi.ts");
  process.exitCode = 1;
}
