import {
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { explainFailure } from "./install-error.mjs";

const beatMs = 1_000;
const abandonedAfterMs = 10_000;

/**
 * Runs `work` while no other process installs into the same folder; waits for the one that does.
 * `work(namePid, interrupt)` names the process that does the writing, which may outlive this one, and ends it when
 * `interrupt`, an AbortSignal, says that the reader does not want to wait.
 */
export async function withInstallLock(root, work) {
  const file = join(root, ".posthorn", "install.lock");
  let told = false;
  while (!take(file)) {
    if (!told) process.stderr.write("Another installation into this folder is running: waiting for it.\n");
    told = true;
    await sleep(250);
  }
  const interrupt = new AbortController();
  const onSignal = () => interrupt.abort();
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"];
  for (const signal of signals) process.on(signal, onSignal);
  // A holder that died stops touching its lock; process ids would not tell across containers.
  const beat = setInterval(() => ignoreMissing(() => utimesSync(file, new Date(), new Date())), beatMs);
  try {
    await work((pid) => writeFileSync(file, `${pid}\n`), interrupt.signal);
  } finally {
    clearInterval(beat);
    for (const signal of signals) process.off(signal, onSignal);
    rmSync(file, { force: true });
    removeIfEmpty(dirname(file));
  }
}

function take(file) {
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `${process.pid}\n`, { flag: "wx" });
    return true;
  } catch (error) {
    if (error.code !== "EEXIST" && error.code !== "ENOENT") throw explainFailure(error.message, "");
  }
  ignoreMissing(() => removeIfAbandoned(file));
  return false;
}

/** Of several who find the same dead lock one renames it away; a fresh lock caught by mistake is put back. */
function removeIfAbandoned(file) {
  if (!isAbandoned(file)) return;
  const aside = `${file}.${process.pid}`;
  renameSync(file, aside);
  if (isAbandoned(aside)) rmSync(aside);
  else renameSync(aside, file);
}

function isAbandoned(file) {
  if (Date.now() - statSync(file).mtimeMs <= abandonedAfterMs) return false;
  try {
    // An npm whose launcher was killed goes on writing into the folder, which is where it runs.
    const pid = Number.parseInt(readFileSync(file, "utf8"), 10);
    return realpathSync(`/proc/${pid}/cwd`) !== realpathSync(dirname(dirname(file)));
  } catch {
    return true;
  }
}

function ignoreMissing(action) {
  try {
    action();
  } catch (error) {
    if (error.code !== "ENOENT") throw error;
  }
}

function removeIfEmpty(folder) {
  try {
    rmdirSync(folder);
  } catch {}
}
