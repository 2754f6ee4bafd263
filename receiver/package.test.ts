import { execFile } from "node:child_process";
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import manifest from "./package.json" with { type: "json" };
import { GITHUB_VECTOR } from "./testing-vectors.ts";

const run = promisify(execFile);
let consumer: string;

beforeAll(async () => {
  consumer = await mkdtemp(join(tmpdir(), "consumer-"));
  const installed = join(consumer, "node_modules", manifest.name);
  const compiler = join(import.meta.dirname, "..", "node_modules", ".bin", "tsc");
  await run(compiler, ["-p", import.meta.dirname, "--outDir", join(installed, "dist")]);
  await cp(join(import.meta.dirname, "package.json"), join(installed, "package.json"));
});
afterAll(() => rm(consumer, { recursive: true }));

it("is installed under its name and used from plain JavaScript", async () => {
  const script = `
    import { createReceiver, fileStore, memoryStore, verify, VerificationError } from "${manifest.name}";
    const { schemes } = verify({
      secrets: ${JSON.stringify(GITHUB_VECTOR.secret)},
      headers: { "X-Signature": "sha256=${GITHUB_VECTOR.hex}" },
      body: new TextEncoder().encode(${JSON.stringify(GITHUB_VECTOR.body)}),
    });
    console.log(schemes[0], [createReceiver, fileStore, memoryStore, VerificationError].map((it) => typeof it).join());
  `;
  await writeFile(join(consumer, "main.mjs"), script);
  const { stdout } = await run(process.execPath, ["main.mjs"], { cwd: consumer });
  expect(stdout).toBe("sha256 function,function,function,function\n");
});

it("depends on nothing", () => {
  expect(Object.keys(manifest).filter((name) => /dependencies/i.test(name))).toEqual([]);
});
