import { setTimeout as delay } from "node:timers/promises";
import type { Child } from "./child.ts";
import type { ChaosServer } from "./database.ts";
import type { FaultWindow } from "./evidence.ts";
import type { Line } from "./line.ts";
import type { Fault } from "./plan.ts";

/** What there is to break. */
export interface Breakable {
  server: ChaosServer;
  workers: readonly Process[];
  webs: readonly Process[];
}

/** A process with its line to the database. */
export interface Process {
  child: Child;
  line: Line;
}

const SLOW_MS = 15;

/** Carries a plan out; settles when its last fault is over. Gives when each of them was. */
export async function inject(plan: readonly Fault[], breakable: Breakable): Promise<FaultWindow[]> {
  const startedAt = Date.now();
  return Promise.all(
    plan.map(async (fault) => {
      await delay(startedAt + fault.atMs - Date.now());
      const from = Date.now();
      await carryOut(fault, breakable);
      return { kind: fault.kind, from, to: Date.now() };
    }),
  );
}

async function carryOut({ kind, target, forMs }: Fault, { server, workers, webs }: Breakable): Promise<void> {
  const all = [...workers, ...webs];
  const worker = pick(workers, target);
  const web = pick(webs, target);
  const lines = (kind.includes("process") ? [pick(all, target)] : all).map(({ line }) => line);
  const during = async (begin: (line: Line) => void) => {
    for (const line of lines) begin(line);
    await delay(forMs);
    for (const line of lines) line.mend();
  };
  const frozen = async ({ child, line }: Process, isCut: boolean) => {
    child.freeze();
    if (isCut) line.drop();
    await delay(forMs);
    child.thaw();
  };
  switch (kind) {
    case "kill worker":
    case "kill web":
      (kind === "kill web" ? web : worker).child.kill(forMs);
      return void (await delay(forMs));
    case "freeze worker":
      return frozen(worker, false);
    case "freeze worker and cut its connections":
      return frozen(worker, true);
    case "freeze web":
      return frozen(web, false);
    case "restart database":
      return server.restart("SIGINT", forMs);
    case "stop database at once":
      return server.restart("SIGQUIT", forMs);
    case "kill database":
      return server.restart("SIGKILL", forMs);
    case "cut one connection":
      return pick(all, target).line.drop(target);
    case "cut all connections":
    case "cut the connections of a process":
      return during((line) => line.cut());
    case "let nothing through":
    case "let nothing through from a process":
      return during((line) => line.stopUp());
    case "slow a process's connections":
      return during((line) => line.slow(SLOW_MS));
  }
}

function pick<T>(list: readonly T[], target: number): T {
  const picked = list[target % list.length];
  if (picked === undefined) throw new Error("there is nothing to break");
  return picked;
}
