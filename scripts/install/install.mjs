// Brings node_modules in step with package-lock.json. Plain Node 18 syntax and no dependency: see launch.mjs.

import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { withInstallLock } from "./install-lock.mjs";
import { installPackages } from "./npm.mjs";
import { showProgress } from "./progress.mjs";

/** Installs what is missing. When nothing is, this reads three files and is done in a few milliseconds. */
export async function ensureInstalled(root) {
  if (isInstalled(root)) return;
  await withInstallLock(root, async (namePid, interrupt) => {
    // Whoever held the lock before may have done the work.
    if (!isInstalled(root)) await install(root, namePid, interrupt);
  });
}

const lockFile = (root) => join(root, "package-lock.json");
const presentFile = (root) => join(root, "node_modules", ".package-lock.json");
const stampFile = (root) => join(root, "node_modules", ".posthorn-installed");

/**
 * npm writes node_modules/.package-lock.json as the last step of an installation, so one that was cut short has
 * none. The stamp remembers the pair of lock files last found to agree; without it they are compared.
 */
function isInstalled(root) {
  const wanted = read(lockFile(root));
  const present = read(presentFile(root));
  if (wanted === undefined || present === undefined || isNodeMissing(root, present)) return false;
  if (read(stampFile(root)) === stampOf(wanted, present)) return true;
  if (!agree(JSON.parse(wanted).packages, JSON.parse(present).packages)) return false;
  writeStamp(root);
  return true;
}

function read(file) {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

function stampOf(wanted, present) {
  const hash = createHash("sha256").update(wanted).update("\0").update(present).digest("hex");
  return `${process.platform} ${process.arch} ${hash}\n`;
}

/** Where node_modules is read-only there is no stamp, and each start compares again. */
function writeStamp(root) {
  try {
    writeFileSync(stampFile(root), stampOf(read(lockFile(root)), read(presentFile(root))));
  } catch {}
}

/** Node is the one package nothing can do without, so npm's word that it is there is not enough. */
function isNodeMissing(root, present) {
  const folder = `node_modules/node-${process.platform}-${process.arch}`;
  return present.includes(`"${folder}"`) && !existsSync(join(root, folder, "bin", "node"));
}

/** Every required package is there in its version, and nothing that differs or belongs on another machine. */
function agree(wanted, present) {
  return Object.entries(wanted).every(([path, { version, optional }]) => {
    if (path === "") return true;
    const found = present[path];
    return found ? found.version === version && fits(found) : optional === true;
  });
}

/** Lock files write these limits as a list or as a single word; `!word` means any but that one. */
function fits({ os = [], cpu = [], libc = [] }) {
  return allows(os, process.platform) && allows(cpu, process.arch) && allows(libc, "glibc");
}

function allows(limit, own) {
  const words = [limit].flat();
  return words.every((word) => word.startsWith("!") && word !== `!${own}`) || words.includes(own);
}

async function install(root, started, interrupt) {
  const packages = Object.entries(JSON.parse(readFileSync(lockFile(root), "utf8")).packages)
    .filter(([path, entry]) => path !== "" && fits(entry))
    .map(([path]) => join(root, path, "package.json"));
  const progress = showProgress(
    "Installing packages",
    () => packages.filter((file) => existsSync(file)).length,
    packages.length,
  );
  try {
    await installPackages(root, { note: progress.note, started, interrupt });
  } finally {
    progress.stop();
  }
  writeStamp(root);
}
