import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, cp, mkdir, mkdtemp, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";

// Stands for npm: `ci` makes what npm leaves behind, slowly, or says what npm says when it cannot.
const npm = `
import { appendFileSync, copyFileSync, mkdirSync } from "node:fs";
appendFileSync("npm.log", process.argv[2] + "\\n");
const error = process.env.NPM_ERROR;
if (error && (process.argv[2] === "ci" || !error.includes("EUSAGE"))) {
  console.error(error);
  process.exit(1);
}
setTimeout(() => {
  mkdirSync("node_modules", { recursive: true });
  copyFileSync("package-lock.json", "node_modules/.package-lock.json");
}, Number(process.env.NPM_MS ?? 0));
`;

const program = `
console.log(JSON.stringify(process.argv.slice(2)));
if (process.argv[2] === "serve") {
  const alive = setInterval(() => {}, 1000);
  process.on("SIGINT", () => {
    console.log("draining");
    setTimeout(() => { console.log("drained"); clearInterval(alive); process.exitCode = 7; }, 300);
  });
  console.log("ready");
}
`;

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "posthorn-launch-"));
  await cp(join(import.meta.dirname, "launch.mjs"), join(folder, "scripts", "launch.mjs"));
  const options = join("server", "settings", "node-options.json");
  await cp(join(import.meta.dirname, "..", options), join(folder, options));
  await cp(join(import.meta.dirname, "install"), join(folder, "scripts", "install"), { recursive: true });
  await put("package.json", '{"type":"module"}');
  await put("npm/npm-cli.js", npm);
  await put("cli/main.ts", program);
  await lock("1.0.0");
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function put(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), text);
}

const lock = (version: string) =>
  put("package-lock.json", JSON.stringify({ packages: { "": {}, "node_modules/a": { version } } }));
const npmCalls = async () =>
  (await readFile(join(folder, "npm.log"), "utf8").catch(() => "")).trim().split("\n").filter(Boolean);

function start(
  args: string[],
  env: Record<string, string> = {},
  nodeArgs: string[] = [],
): ChildProcessWithoutNullStreams {
  return spawn(process.execPath, [...nodeArgs, join(folder, "scripts", "launch.mjs"), ...args], {
    env: { ...process.env, npm_execpath: join(folder, "npm", "npm-cli.js"), HOME: folder, ...env },
  });
}

async function finish(
  child: ChildProcessWithoutNullStreams,
): Promise<{ code: number; out: string; err: string }> {
  let out = "";
  let err = "";
  child.stdout.on("data", (chunk) => {
    out += chunk;
  });
  child.stderr.on("data", (chunk) => {
    err += chunk;
  });
  const [code] = await once(child, "close");
  return { code, out, err };
}

const launch = (...args: Parameters<typeof start>) => finish(start(...args));

it("installs once, then starts the program with its arguments and nothing else", async () => {
  const first = await launch(["cli", "keys", "--all"]);
  expect(first).toMatchObject({ code: 0, out: '["keys","--all"]\n' });
  expect(first.err).toContain("Installing packages");
  expect(await launch(["cli"])).toEqual({ code: 0, out: "[]\n", err: "" });
  expect(await npmCalls()).toEqual(["ci"]);
});

it("installs again when the lock file asks for another version or the last installation was cut short", async () => {
  await launch(["cli"]);
  await lock("1.0.1");
  await launch(["cli"]);
  await rm(join(folder, "node_modules", ".package-lock.json"));
  await launch(["cli"]);
  expect(await npmCalls()).toEqual(["ci", "ci", "ci"]);
});

it("takes packages that somebody installed by hand, even where it cannot write", async () => {
  await put("node_modules/.package-lock.json", await readFile(join(folder, "package-lock.json"), "utf8"));
  await chmod(join(folder, "node_modules"), 0o555);
  expect(await launch(["cli"])).toEqual({ code: 0, out: "[]\n", err: "" });
  await chmod(join(folder, "node_modules"), 0o755);
  expect(await npmCalls()).toEqual([]);
});

it("lets the second of two starts wait for the installation of the first", async () => {
  const both = await Promise.all([launch(["cli"], { NPM_MS: "1000" }), launch(["cli"], { NPM_MS: "1000" })]);
  expect(both.map(({ code }) => code)).toEqual([0, 0]);
  expect(both.filter(({ err }) => err.includes("waiting for it"))).toHaveLength(1);
  expect(await npmCalls()).toEqual(["ci"]);
});

it("takes over the lock of an installation that died", async () => {
  await put(".posthorn/install.lock", "999999999\n");
  const longAgo = new Date(Date.now() - 60_000);
  await utimes(join(folder, ".posthorn", "install.lock"), longAgo, longAgo);
  expect((await launch(["cli"])).code).toBe(0);
});

it("uses npm install where npm ci refuses the lock file", async () => {
  const { code, err } = await launch(["cli"], {
    NPM_ERROR: "npm error code EUSAGE\nnpm error Missing: x from lock file",
  });
  expect(code).toBe(0);
  expect(err).toContain("using npm install in its place");
  expect(await npmCalls()).toEqual(["ci", "install"]);
});

it.each([
  ["npm error code ENOSPC", "The disk is full.", "Free about"],
  ["npm error code EACCES", "cannot be written", "Run as the owner"],
  ["npm error code EAI_AGAIN", "registry could not be reached", "Check the network"],
  ["npm error code E500", "npm ci failed (exit code 1)", "Delete node_modules"],
])("says what to do after %s", async (npmError, cause, advice) => {
  const { code, out, err } = await launch(["cli"], { NPM_ERROR: npmError });
  expect({ code, out }).toEqual({ code: 1, out: "" });
  for (const part of [npmError, cause, advice]) expect(err).toContain(part);
});

it("passes a signal on once and waits until the program has drained", async () => {
  await launch(["cli"]);
  const child = start(["cli", "serve"]);
  const finished = finish(child);
  child.stdout.on("data", (chunk: Buffer) => {
    if (String(chunk).includes("ready")) for (let count = 0; count < 3; count += 1) child.kill("SIGINT");
  });
  expect(await finished).toEqual({ code: 7, out: '["serve"]\nready\ndraining\ndrained\n', err: "" });
});

it("ends an installation at once when it is interrupted, and leaves no lock", async () => {
  const child = start(["cli"], { NPM_MS: "60000" });
  child.stderr.once("data", () => child.kill("SIGINT"));
  const { code, err } = await finish(child);
  expect(code).toBe(130);
  expect(err).toContain("The installation was interrupted.");
  expect((await launch(["cli"])).code).toBe(0);
});

it("refuses an old Node before it does anything", async () => {
  const old = "data:text/javascript,Object.defineProperty(process,'versions',{value:{node:'20.18.3'}})";
  const { code, err } = await launch(["cli"], {}, ["--import", old]);
  expect(code).toBe(1);
  expect(err).toContain("Posthorn needs Node 20.19 or newer, and this is Node 20.18.3.");
  expect(await npmCalls()).toEqual([]);
});

it("prints its commands when it is given none that exists", async () => {
  expect(await launch(["--help"])).toMatchObject({ code: 0, out: expect.stringContaining("worker") });
  expect(await launch(["stat"])).toMatchObject({
    code: 2,
    err: expect.stringContaining('no command "stat"'),
  });
});
