import type { Breakers, Passage } from "./breakers.ts";
import type { Task } from "./types.ts";

/** A delivery whose endpoint is sent nothing before some time. */
export interface Parked {
  readonly task: Task;
  readonly until: Date;
}

/** Of deliveries that were taken: those that may be sent, the probes among them marked, and those that have to wait. */
export async function passBreakers(
  breakers: Pick<Breakers, "isShut" | "shutUntil" | "ask">,
  tasks: readonly Task[],
): Promise<{ through: Task[]; parked: Parked[] }> {
  const shut = tasks.filter(({ due }) => breakers.isShut(due.endpointId));
  if (shut.length === 0) return { through: [...tasks], parked: [] };
  const probes = new Map(
    [...Map.groupBy(shut, ({ due }) => due.endpointId)].map(([id, of]) => [id, firstOf(of)]),
  );
  const asks = [...probes.values()].map((task) => ({
    tenantId: task.due.tenantId,
    endpointId: task.due.endpointId,
    timeoutMs: task.target.timeoutMs,
    isAsked: isAsked(task),
  }));
  const passages = await breakers.ask(asks);
  const through: Task[] = [];
  const parked: Parked[] = [];
  for (const task of tasks) {
    const { endpointId } = task.due;
    const passage: Passage = passages.get(endpointId) ?? "free";
    if (passage === "free") through.push(task);
    else if (passage === "probe" && probes.get(endpointId) === task) through.push({ ...task, isProbe: true });
    else parked.push({ task, until: passage === "probe" ? breakers.shutUntil(endpointId) : passage.until });
  }
  return { through, parked };
}

/** What a person asks for is tried first, and before its time; of an ordered endpoint the first of its queue is. */
const firstOf = (tasks: readonly Task[]): Task => (tasks.find(isAsked) ?? tasks[0]) as Task;

const isAsked = ({ due, chunk }: Task): boolean => due.trigger === "test" || chunk.isAsked === true;
