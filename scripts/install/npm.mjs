import { spawn } from "node:child_process";
import { accessSync, constants, existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { basename, delimiter, join, sep } from "node:path";
import { explainFailure, InstallError } from "./install-error.mjs";

// No package here needs an install script, and some versions of npm refuse to run them anyway.
const options = [
  "--ignore-scripts",
  "--include=dev",
  "--include=optional",
  "--no-audit",
  "--no-fund",
  "--no-progress",
  "--loglevel=error",
];

/**
 * Runs `npm ci`, and where the lock file does not suit this npm, `npm install` by the same lock file.
 * `note(line)` says something to the reader, `started(pid)` is told of each npm that starts, `interrupt` ends it.
 */
export async function installPackages(root, { note, started, interrupt }) {
  const cache = temporaryCache();
  try {
    const ci = await runNpm(root, ["ci", ...options], { cache, started, interrupt });
    if (ci.code === 0) return;
    if (!/EUSAGE|from lock file|not in sync/i.test(ci.output))
      throw explainFailure(ci.output, `npm ci failed (exit code ${ci.code}).`);
    note(
      "The lock file lacks packages of other platforms, which this npm ci refuses: using npm install in its place.",
    );
    const install = await runNpm(root, ["install", "--no-save", ...options], { cache, started, interrupt });
    if (install.code !== 0)
      throw explainFailure(install.output, `npm install failed (exit code ${install.code}).`);
  } finally {
    if (cache) rmSync(cache, { recursive: true, force: true });
  }
}

/** A cache folder for this one run when the home folder cannot hold npm's own; else undefined. */
function temporaryCache() {
  if (process.env.npm_config_cache && canWrite(process.env.npm_config_cache)) return undefined;
  if (process.env.HOME && canWrite(join(homedir(), ".npm"))) return undefined;
  return mkdtempSync(join(tmpdir(), "posthorn-npm-"));
}

function canWrite(folder) {
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Gives the exit code and all that npm said. Interrupted, npm is killed: asked politely it finishes and then undoes its work. */
function runNpm(root, args, { cache, started, interrupt }) {
  const [program, first] = findNpm(root);
  const child = spawn(program, [...first, ...args], {
    cwd: root,
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      ...process.env,
      PATH: outsidePath(root),
      ...(cache ? { npm_config_cache: cache, HOME: cache } : {}),
    },
    signal: interrupt,
    killSignal: "SIGKILL",
  });
  if (child.pid) started(child.pid);
  let output = "";
  const collect = (chunk) => {
    output += chunk;
  };
  child.stdout.on("data", collect);
  child.stderr.on("data", collect);
  return new Promise((resolve, reject) => {
    child.once("error", () =>
      reject(
        interrupt.aborted
          ? new InstallError(
              "The installation was interrupted.",
              "Run the same command to start it again.",
              130,
            )
          : new InstallError(
              "npm was not found.",
              "Install npm (it comes with Node: https://nodejs.org) and try again.",
            ),
      ),
    );
    child.once("close", (code) => resolve({ code: code ?? 1, output }));
  });
}

/** The npm that started us, run by a Node that the installation does not replace; else the npm on the PATH. */
function findNpm(root) {
  const started = process.env.npm_execpath;
  if (!started || basename(started) !== "npm-cli.js" || !existsSync(started)) return ["npm", []];
  if (!process.execPath.startsWith(join(root, "node_modules") + sep)) return [process.execPath, [started]];
  const folder = outsidePath(root)
    .split(delimiter)
    .find((path) => path !== "" && existsSync(join(path, "node")));
  return [folder ? join(folder, "node") : process.execPath, [started]];
}

function outsidePath(root) {
  const inside = join(root, "node_modules");
  return (process.env.PATH ?? "")
    .split(delimiter)
    .filter((path) => path !== inside && !path.startsWith(inside + sep))
    .join(delimiter);
}
