import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";

const run = promisify(execFile);
const root = join(import.meta.dirname, "..");
const bin = (name: string) => join(root, "node_modules", ".bin", name);

/** A project that has installed this folder, as `npm install <folder>` does it. */
let consumer: string;
beforeAll(async () => {
  consumer = await mkdtemp(join(tmpdir(), "posthorn-consumer-"));
  await mkdir(join(consumer, "node_modules"));
  await symlink(root, join(consumer, "node_modules", "posthorn"));
  await writeFile(join(consumer, "package.json"), '{ "type": "module" }');
});
afterAll(() => rm(consumer, { recursive: true }));

it("is used from another project as posthorn/client", async () => {
  const script = `
    import { ApiProblem, createClient } from "posthorn/client";
    const client = createClient({ baseUrl: "http://127.0.0.1:1/api/v1", apiKey: "ph_x", retry: { attempts: 1 } });
    const error = await client.listOrders().catch((reason) => reason);
    console.log(error instanceof ApiProblem, error.status);
  `;
  await writeFile(join(consumer, "main.js"), script);
  const { stdout } = await run(bin("node"), ["main.js"], { cwd: consumer });
  expect(stdout).toBe("true 0\n");
});

it("gives its types to another project", async () => {
  const compile = async (source: string) => {
    await writeFile(join(consumer, "typed.ts"), source);
    const options = { module: "NodeNext", target: "ES2024", strict: true, noEmit: true, skipLibCheck: true };
    const config = { compilerOptions: { ...options, allowImportingTsExtensions: true, types: [] } };
    await writeFile(join(consumer, "tsconfig.json"), JSON.stringify({ ...config, files: ["typed.ts"] }));
    return run(bin("tsc"), ["-p", "."], { cwd: consumer }).then(
      () => "",
      (error: { stdout: string }) => error.stdout,
    );
  };
  const head =
    'import { createClient } from "posthorn/client";\nconst client = createClient({ baseUrl: "b", apiKey: "k" });\n';
  expect(
    await compile(`${head}const total: number = (await client.getOrder({ params: { id: 1 } })).Total;`),
  ).toBe("");
  expect(await compile(`${head}await client.getOrder({ params: { number: 1 } });`)).toContain("TS2353");
});
