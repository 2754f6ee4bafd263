import { availableParallelism } from "node:os";
import { workerProcesses } from "#server/settings/worker-processes.ts";
import { type Drain, measureDrain, measureSender } from "./drain.ts";
import type { Ground } from "./ground.ts";
import { processes, type Row, type Say } from "./report.ts";
import { inRounds, medianOf } from "./rounds.ts";

/**
 * Measures the drain of a backlog by one worker process, which is what a core can do, and by as many as `npm start` runs
 * here, which is what is wanted of the product.
 */
export async function measureDrains(
  ground: Ground,
  { say, ...size }: { deliveries: number; bodyBytes: number; say: Say },
): Promise<Row[]> {
  const rows: Row[] = [];
  const usual = workerProcesses(availableParallelism());
  for (const workers of new Set([1, usual])) {
    const drains = await inRounds(processes(workers), say, () => measureDrain(ground, { ...size, workers }));
    rows.push(...rowsOf(workers, medianOf(drains, ratio), workers === usual));
  }
  say("the sender alone");
  const { measured, barePerSecond } = await measureSender(size);
  const limit = { name: "bare sign + POST", value: barePerSecond };
  return [
    ...rows,
    { name: "the same signed requests, by the sender alone", value: measured, unit: "/s", limit },
  ];
}

const ratio = (drain: Drain) => drain.deliveriesPerSecond / drain.barePerSecond;

function rowsOf(workers: number, drain: Drain, isUsual: boolean): Row[] {
  const cpu = (what: string, value: number): Row[] =>
    Number.isNaN(value)
      ? []
      : [{ name: `${processes(workers)}, CPU of ${what} for each`, value, unit: "µs" }];
  return [
    {
      name: `${processes(workers)}, durable deliveries, drain of a backlog`,
      value: drain.deliveriesPerSecond,
      unit: "/s",
      limit: { name: `bare sign + POST, receiver in ${drain.language}`, value: drain.barePerSecond },
      ...(isUsual ? { wanted: { atLeast: 0.7 } } : {}),
    },
    ...cpu("workers", drain.workerMicros),
    ...cpu("PostgreSQL", drain.postgresMicros),
  ];
}
