import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { checkDocs } from "./check-docs.ts";

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "posthorn-docs-"));
  await put("package.json", JSON.stringify({ scripts: { start: "node x", "start:web": "node y" } }));
  await put("server/orders/create-order.ts", "");
  await put("app/(console)/orders/[id]/page.tsx", "");
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function put(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), text);
}

it("finds nothing to say about docs that are right", async () => {
  await put(
    "docs/guide.md",
    "# The guide\n\n## What it's for: you & me\n\nBack to [the top](../README.md).\n",
  );
  await put(
    "README.md",
    [
      "`server/orders/create-order.ts`, `server/`, `#server/orders/create-order.ts`, `server/*/create-*.ts`,",
      "`create-order.ts`, `app/(console)/orders/[id]/page.tsx`, `package.json`, `guide.md`.",
      "Not paths: `/api/v1/orders`, `text/plain`, `a/b`, `POST /orders`, `.posthorn/demo.json`, `demo.json`, `npm:x/y.ts`.",
      "[guide](docs/guide.md#what-its-for-you--me), [web](https://example.com/x.md), [here](#title).",
      "Run `npm start` or `npm run start:web -- --port 1`.",
      "# Title",
      "```sh",
      "cat `missing/in-a-fence.ts`",
      "```",
    ].join("\n"),
  );
  expect(checkDocs(folder)).toEqual([]);
});

it("names each path, link, heading and script that is not there", async () => {
  await put("docs/guide.md", "# Guide\n");
  await put(
    "ARCHITECTURE.md",
    '`server/orders/gone.ts` `gone.ts` `gone/whole-folder.ts` `server/gone/`\n[a](docs/gone.md) [b](docs/guide.md#gone) <img src="docs/gone.png">\n`npm run gone`, npm test\n',
  );
  expect(checkDocs(folder)).toEqual([
    "ARCHITECTURE.md: `server/orders/gone.ts` does not exist",
    "ARCHITECTURE.md: `gone.ts` does not exist",
    "ARCHITECTURE.md: `gone/whole-folder.ts` does not exist",
    "ARCHITECTURE.md: `server/gone/` does not exist",
    "ARCHITECTURE.md: the link docs/gone.md leads nowhere",
    "ARCHITECTURE.md: the link docs/guide.md#gone leads nowhere",
    "ARCHITECTURE.md: the link docs/gone.png leads nowhere",
    'ARCHITECTURE.md: package.json has no script "gone"',
    'ARCHITECTURE.md: package.json has no script "test"',
  ]);
});
