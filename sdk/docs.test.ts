import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openTestApi, type TestApi } from "#web/test-support.ts";

const root = join(import.meta.dirname, "..");

let api: TestApi;
let folder: string;
beforeAll(async () => {
  api = await openTestApi();
  folder = await mkdtemp(join(tmpdir(), "posthorn-client-docs-"));
  await mkdir(join(folder, "node_modules"));
  await symlink(root, join(folder, "node_modules", "posthorn"));
  await writeFile(join(folder, "package.json"), '{ "type": "module" }');
});
afterAll(async () => {
  await api.close();
  await rm(folder, { recursive: true });
});

it("docs/client.md: its code runs as it stands, one block after the other", async () => {
  const page = readFileSync(join(root, "docs", "client.md"), "utf8");
  const blocks = [...page.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, block]) => block);
  expect(blocks.length).toBeGreaterThan(3);
  await writeFile(join(folder, "main.ts"), blocks.join("\n"));
  const env = { NODE_ENV: "test" as const, POSTHORN_URL: api.base, POSTHORN_KEY: api.tenant.key };
  const node = join(root, "node_modules", ".bin", "node");
  const { stdout } = await promisify(execFile)(node, ["main.ts"], { cwd: folder, env });
  const lines = stdout.trim().split("\n");
  expect(lines[0]).toMatch(/^An order that is paid cannot be paid\. paid [0-9a-f-]{36}$/);
  expect(lines.slice(1)).toEqual([
    "1001 25",
    ...[
      "CartCreated",
      "CartItemUpdated",
      "OrderCreated",
      "CartCheckedOut",
      "PaymentCaptured",
      "OrderUpdated",
    ].map((type, index) => `${index + 1} ${type}`),
  ]);
});
