import { readdirSync, readFileSync } from "node:fs";

const TICK_MS = 10;

/** Milliseconds of CPU that processes and those they have started have used so far; NaN where there is no /proc. */
export function cpuMs(...roots: readonly (number | undefined)[]): number {
  const all = readAll();
  const children = Map.groupBy(all, ({ parent }) => parent);
  const sum = (pid: number): number =>
    (children.get(pid) ?? []).reduce((ticks, child) => ticks + child.ticks + sum(child.pid), 0);
  const own = all.filter(({ pid }) => roots.includes(pid));
  if (own.length === 0) return Number.NaN;
  return own.reduce((ticks, each) => ticks + each.ticks + sum(each.pid), 0) * TICK_MS;
}

/** The process that has started another one, on this machine. */
export const parentOf = (pid: number | undefined): number | undefined =>
  pid === undefined ? undefined : readStat(pid)[0]?.parent;

interface Process {
  pid: number;
  parent: number;
  /** Its own, and those of its children that have ended. */
  ticks: number;
}

function readAll(): Process[] {
  try {
    return readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .flatMap((name) => readStat(Number(name)));
  } catch {
    return [];
  }
}

function readStat(pid: number): Process[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The name in brackets may hold anything.
    const fields = text
      .slice(text.lastIndexOf(")") + 2)
      .split(" ")
      .map(Number);
    const [parent = 0, ticks = 0] = [fields[1], fields.slice(11, 15).reduce((sum, part) => sum + part, 0)];
    return [{ pid, parent, ticks }];
  } catch {
    return [];
  }
}
