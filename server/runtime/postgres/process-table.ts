import { execFile } from "node:child_process";
import { readFile, readlink } from "node:fs/promises";
import { promisify } from "node:util";

export interface RunningProcess {
  /** Program and arguments, separated and ended by a space. */
  readonly commandLine: string;
  /** Where the system tells it. */
  readonly cwd: string | undefined;
}

/** What runs under `pid`; nothing when it has ended, though its parent may not have reaped it yet (a zombie). */
export async function findProcess(pid: number): Promise<RunningProcess | undefined> {
  return process.platform === "linux" ? fromProc(pid) : fromPs(pid);
}

async function fromProc(pid: number): Promise<RunningProcess | undefined> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, "latin1");
    // proc(5): the name in parentheses may itself hold parentheses; the state follows the last one.
    const state = stat.charAt(stat.lastIndexOf(")") + 2);
    if (state === "Z" || state === "X") return undefined;
    const commandLine = (await readFile(`/proc/${pid}/cmdline`, "utf8")).replaceAll("\0", " ");
    return { commandLine, cwd: await readlink(`/proc/${pid}/cwd`).catch(() => undefined) };
  } catch {
    return undefined;
  }
}

async function fromPs(pid: number): Promise<RunningProcess | undefined> {
  const answer = await promisify(execFile)("ps", ["-o", "state=,command=", "-p", String(pid)]).catch(
    () => undefined,
  );
  const [, state, command] = answer?.stdout.match(/^\s*(\S+)\s+(.*?)\s*$/m) ?? [];
  if (!state || state.startsWith("Z")) return undefined;
  return { commandLine: `${command} `, cwd: undefined };
}
