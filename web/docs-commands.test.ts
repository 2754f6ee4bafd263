import { execFileSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { commandsOf, type Reader, runPage } from "./run-docs.ts";
import { openTestApi, type TestApi } from "./test-support.ts";

const root = join(import.meta.dirname, "..");
const pages = ["README.md", "receiver/README.md", ...globSync("docs/**/*.md", { cwd: root })].sort();
const read = (page: string) => readFileSync(join(root, page), "utf8");
/** A call as a reader sees it: at the beginning of a line of a block, or within one. */
const calls = (markdown: string) =>
  commandsOf(markdown)
    .join("\n")
    .match(/(^|[|(] *)curl /gm)?.length ?? 0;

const hasTools = ["bash", "curl", "openssl"].every((name) => {
  try {
    execFileSync(name, ["--version"], { stdio: "ignore" });
    return true;
  } catch (error) {
    // An old openssl knows `version` alone; that it answers is enough.
    return (error as NodeJS.ErrnoException).code !== "ENOENT";
  }
});

let api: TestApi;
let folder: string;
let reader: Reader;
beforeAll(async () => {
  api = await openTestApi();
  folder = await mkdtemp(join(tmpdir(), "posthorn-docs-run-"));
});
afterAll(async () => {
  await api.close();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  const { id, key } = await api.addTenant();
  reader = { baseUrl: api.base, apiKey: key, folder };
  // What `npm start` leaves for the tour of the README.
  await mkdir(join(folder, ".posthorn"), { recursive: true });
  const demo = {
    origin: api.server.origin,
    base_url: api.base,
    tenants: [{ id, name: "Acme", api_key: key }],
  };
  await writeFile(join(folder, ".posthorn", "demo.json"), JSON.stringify(demo));
});

describe.skipIf(!hasTools)("the commands of the guide at /docs", () => {
  it("do what they say, one after the other", async () => {
    const { json } = await api.call("GET", "/openapi.json", { key: null });
    const guide: string = json.info.description;
    expect(guide).toContain(`BASE=${api.base}\n`);
    const { exitCode, told, got, output } = await runPage(guide, reader);
    expect(got, output).toEqual(told);
    expect([exitCode, got.length], output).toEqual([0, calls(guide)]);
    expect(output).toContain("idempotent-replayed: true");
    const [, signature = "none"] = /openssl dgst .* # ([0-9a-f]{64})/.exec(guide) ?? [];
    expect(output.split("Idempotent").at(-1)).toContain(signature);
  });
});

describe.skipIf(!hasTools)("the commands of the other docs", () => {
  it.each(pages.filter((page) => calls(read(page)) > 0))("%s: do what they say", async (page) => {
    const { exitCode, told, got, output } = await runPage(read(page), reader);
    expect([exitCode, got.length], output).toEqual([0, calls(read(page))]);
    // A page either says all statuses, or means that all is well.
    if (told.length > 0) expect(got, output).toEqual(told);
    else
      expect(
        got.filter((status) => status < 200 || status > 299),
        output,
      ).toEqual([]);
  });
});

describe.skipIf(!hasTools)("a page", () => {
  const page = (...lines: string[]) => `Text.\n\n\`\`\`sh\n${lines.join("\n")}\n\`\`\`\n`;
  const head = ["BASE=https://posthorn.example/api/v1", "KEY=ph_live_…", 'AUTH="Authorization: Bearer $KEY"'];

  it("is found out when it says another status, and when a command fails", async () => {
    const wrong = page(...head, "# 201", 'curl -sS $BASE/orders -H "$AUTH"');
    expect(await runPage(wrong, reader)).toMatchObject({ exitCode: 0, told: [201], got: [200] });
    const failing = page(
      ...head,
      "# 200",
      'curl -sS $BASE/orders -H "$AUTH" | grep -o nothing',
      "curl -sS $BASE/x",
    );
    const run = await runPage(failing, reader);
    expect([run.exitCode, run.got]).toEqual([1, [200]]);
  });

  it("is taken for what it is: blocks of other languages and other commands are not run", () => {
    expect(
      commandsOf(`${page("npm start")}\n\`\`\`ts\ncurl x\n\`\`\`\n${page("KEY=1", "", "# note")}`),
    ).toEqual(["KEY=1\n\n# note\n"]);
  });
});
