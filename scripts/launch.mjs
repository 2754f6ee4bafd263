// Starts every program of this project: `node scripts/launch.mjs <command> [arguments]`. Plain syntax and no
// dependency, because it is what runs on the machine's own Node before anything has been installed.
import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { constants } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { ensureInstalled } from "./install/install.mjs";
import { InstallError } from "./install/install-error.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");

const commands = {
  start: ["scripts/start.ts", "everything in one: database, web, worker, demo"],
  web: ["web/main.ts", "a web process"],
  worker: ["workers/main.ts", "a delivery worker"],
  cli: ["cli/main.ts", "the command line (npm run posthorn -- --help)"],
  test: ["scripts/test.ts", "all tests (npm test -- --help)"],
  bench: ["bench/main.ts", "the benchmarks"],
  check: ["scripts/check.ts", "lint, types, dead code, docs"],
};

const usage = `usage: node scripts/launch.mjs <command> [arguments]

${Object.entries(commands)
  .map(([name, [, meaning]]) => `  ${name.padEnd(8)}${meaning}`)
  .join("\n")}
`;

/** Node 20.19 is enough to install; the programs themselves run on the Node that the packages bring. */
function isOlder(version, [major, minor]) {
  const [ownMajor, ownMinor] = version.split(".").map(Number);
  return ownMajor < major || (ownMajor === major && ownMinor < minor);
}

/** The Node that runs TypeScript: the one from npm, else the one running this when it strips types by default. */
function chooseNode() {
  const packaged = join(root, "node_modules", `node-${process.platform}-${process.arch}`, "bin", "node");
  if (existsSync(packaged)) return packaged;
  if (!isOlder(process.versions.node, [22, 18])) return process.execPath;
  throw new InstallError(
    `npm has no Node 24 for ${process.platform}-${process.arch}, and this is Node ${process.versions.node}.`,
    "Install Node 24 from https://nodejs.org and run the same command again.",
  );
}

/**
 * Runs the program and gives its exit code. Signals are passed on and never end the launcher first, so that
 * whoever waits for it waits for the program's orderly stop.
 */
function run(node, file, args) {
  const path = [dirname(node), join(root, "node_modules", ".bin"), process.env.PATH].filter(Boolean);
  const options = JSON.parse(readFileSync(join(root, "server", "settings", "node-options.json"), "utf8"))[
    file
  ];
  const child = spawn(node, [...(options ?? []), join(root, file), ...args], {
    stdio: "inherit",
    env: {
      // What Node has stripped and compiled once starts in a quarter less time; where it cannot be kept, nothing is lost.
      NODE_COMPILE_CACHE: join(root, "node_modules", ".cache", "compiled"),
      ...process.env,
      PATH: path.join(delimiter),
    },
  });
  // A terminal signals the whole group and npm sends the same signal again: one request to stop, passed on once.
  const sentAt = {};
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
    process.on(signal, () => {
      const now = Date.now();
      if (now - (sentAt[signal] ?? 0) > 1000) child.kill(signal);
      sentAt[signal] = now;
    });
  }
  return new Promise((resolve, reject) => {
    child.once("error", (error) =>
      reject(
        new InstallError(
          `${node} could not be started: ${error.message}`,
          "Delete node_modules and run the same command again.",
        ),
      ),
    );
    child.once("exit", (code, signal) => resolve(code ?? 128 + (constants.signals[signal] ?? 0)));
  });
}

async function main([name, ...args]) {
  if (name === undefined || name === "--help" || name === "-h") {
    process.stdout.write(usage);
    return name === undefined ? 2 : 0;
  }
  if (!Object.hasOwn(commands, name)) {
    process.stderr.write(`There is no command "${name}".\n\n${usage}`);
    return 2;
  }
  if (isOlder(process.versions.node, [20, 19])) {
    process.stderr.write(
      `Posthorn needs Node 20.19 or newer, and this is Node ${process.versions.node}.\nInstall a newer one from https://nodejs.org and run the same command again.\n`,
    );
    return 1;
  }
  await ensureInstalled(root);
  return run(chooseNode(), commands[name][0], args);
}

main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code;
  },
  (error) => {
    process.stderr.write(
      error instanceof InstallError ? `\n${error.message}\n${error.advice}\n` : `${error.stack}\n`,
    );
    process.exitCode = error instanceof InstallError ? error.exitCode : 1;
  },
);
