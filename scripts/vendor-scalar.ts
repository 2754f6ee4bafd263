import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { constants, gzipSync } from "node:zlib";

const run = promisify(execFile);

// The package depends on some 370 others that its one ready-made file does not need.
const VERSION = "1.72.1";
const FILE = "package/dist/browser/standalone.js";
const SHA512 = "tU3J4euEo5lXIMy42HF4KUTdundzAMuHoOw2Z0WquNAbdigLVdAyOGPJJoCmhiSNVRnSgfNqbB1VdiIfNATEMg==";
const TARGET = join(import.meta.dirname, "..", "web", "vendor", "scalar", `api-reference-${VERSION}.js.gz`);

/** Fetches the page of the API reference anew from its npm package, and puts it into the repository if it is what it was. */
const folder = await mkdtemp(join(tmpdir(), "posthorn-scalar-"));
try {
  const args = ["pack", `@scalar/api-reference@${VERSION}`, "--ignore-scripts", "--silent"];
  const { stdout } = await run("npm", args, { cwd: folder });
  await run("tar", ["-xzf", stdout.trim(), FILE], { cwd: folder });
  const source = await readFile(join(folder, FILE));
  const sha512 = createHash("sha512").update(source).digest("base64");
  if (sha512 !== SHA512) throw new Error(`${FILE} has the SHA-512 ${sha512}, not ${SHA512}.`);
  await writeFile(TARGET, gzipSync(source, { level: constants.Z_BEST_COMPRESSION }));
  console.log(`${TARGET}: ${source.length} bytes of ${FILE}`);
} finally {
  await rm(folder, { recursive: true, force: true });
}
