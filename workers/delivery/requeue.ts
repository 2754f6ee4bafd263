import { setTimeout as delay } from "node:timers/promises";
import type { PgBoss } from "pg-boss";
import { uuidv7 } from "uuidv7";
import { type Db, withTransaction } from "#db/client.ts";
import { moveToJobs } from "#db/queries/delivering.ts";
import type { Logger } from "#server/log/logger.ts";
import { enqueueDeliveries, type NewDeliveryJob } from "#server/queue/boss.ts";
import { type DeliveryQueue, MAX_CHUNK, QUEUES } from "#server/queue/queues.ts";
import type { Parked } from "./breaker-gate.ts";
import type { Target } from "./targets.ts";
import type { Task } from "./types.ts";

const RATED_SECONDS = 5;
const AGAIN_AFTER_MS = 200;

/** Deliveries on their way to a new job of some queue. */
export interface Move {
  queue: DeliveryQueue;
  job: NewDeliveryJob;
  tasks: readonly Task[];
}

/**
 * To the slow queue, in jobs of one endpoint each. Behind requests that hang a job is no larger than what the endpoint
 * takes at a time, so that it is done within a timeout; where there is merely much to do jobs are large, and go first, most of
 * all with what a vanished worker held.
 */
export function toSlowQueue(tasks: readonly Task[], isHanging: (endpointId: string) => boolean): Move[] {
  const queue = QUEUES.deliverSlow.name;
  return [...Map.groupBy(tasks, (task) => task.due.endpointId)].flatMap(([endpointId, mine]) => {
    const hangs = isHanging(endpointId);
    const size = sizeFor(mine[0]?.target, hangs);
    const jobs = (some: readonly Task[], priority: number) =>
      jobsOf(some, size).map(({ job, tasks }) => ({
        queue,
        job: { ...job, group: endpointId, priority: hangs ? 0 : priority },
        tasks,
      }));
    const [returned, others] = partition(mine, ({ chunk }) => chunk.retryCount > 0);
    return [...jobs(returned, 2), ...jobs(others, 1)];
  });
}

/**
 * To the slow queue, for when the circuit breakers of their endpoints let something through. What may have taken its workers
 * with it stays where it goes alone.
 */
export function toLater(parked: readonly Parked[]): Move[] {
  return [
    ...Map.groupBy(parked, ({ task, until }) => `${task.due.endpointId} ${until.getTime()}`).values(),
  ].flatMap((mine) => {
    const [first] = mine;
    if (!first) return [];
    const [alone, others] = partition(
      mine.map(({ task }) => task),
      isSuspect,
    );
    const size = sizeFor(first.task.target, false);
    const later = { startAfter: first.until, group: first.task.due.endpointId };
    return [
      ...jobsOf(others, size).map((each) => ({ queue: QUEUES.deliverSlow.name, ...each })),
      ...jobsOf(alone, 1).map((each) => ({ queue: QUEUES.deliverSuspect.name, ...each })),
    ].map((move) => ({ ...move, job: { ...move.job, ...later } }));
  });
}

const isSuspect = ({ chunk }: Task): boolean => chunk.queue === QUEUES.deliverSuspect.name;

function partition<T>(all: readonly T[], chosen: (one: T) => boolean): [T[], T[]] {
  return [all.filter(chosen), all.filter((one) => !chosen(one))];
}

/** Deliveries of one job: no more than can have begun within a few seconds, so that none is held for long. */
function sizeFor(target: Target | undefined, hangs: boolean): number {
  const within = target?.rateLimit ? Math.max(1, RATED_SECONDS * target.rateLimit) : MAX_CHUNK;
  return Math.min(MAX_CHUNK, within, hangs ? (target?.maxInFlight ?? 1) : MAX_CHUNK);
}

/** Back to the queues that they came from. What was given back is not lost, so it is not logged as lost. */
export function backToQueues(tasks: readonly Task[], isHanging: (endpointId: string) => boolean): Move[] {
  const isSlow = (task: Task) => task.chunk.queue === QUEUES.deliverSlow.name;
  const others = Map.groupBy(
    tasks.filter((task) => !isSlow(task)),
    (task) => task.chunk.queue,
  );
  return [
    ...toSlowQueue(tasks.filter(isSlow), isHanging),
    ...[...others].flatMap(([queue, mine]) => jobsOf(mine, MAX_CHUNK).map((each) => ({ queue, ...each }))),
  ];
}

function jobsOf(tasks: readonly Task[], size: number): Omit<Move, "queue">[] {
  const jobs: Omit<Move, "queue">[] = [];
  for (const [tenantId, mine] of Map.groupBy(tasks, (task) => task.due.tenantId))
    for (let i = 0; i < mine.length; i += size) {
      const part = mine.slice(i, i + size);
      const deliveryIds = part.map((task) => task.due.id);
      jobs.push({ job: { id: uuidv7(), tenantId, deliveryIds }, tasks: part });
    }
  return jobs;
}

interface RequeueDeps {
  db: Db;
  boss: PgBoss;
  log: Logger;
  onMoved(move: Move): void;
}

/**
 * Moves deliveries to new jobs, after which their old jobs need not wait for them. A move that failed is kept and made
 * again with the same job, so one whose COMMIT had no answer is not made twice.
 */
export class Requeue {
  readonly #deps: RequeueDeps;
  #open: Move[] = [];

  constructor(deps: RequeueDeps) {
    this.#deps = deps;
  }

  /** Deliveries that are not moved yet. */
  get pending(): number {
    return this.#open.reduce((sum, move) => sum + move.tasks.length, 0);
  }

  add(moves: readonly Move[]): void {
    this.#open.push(...moves);
  }

  /** Makes all moves there are. Rejects when that fails; they are made with the next call then. */
  async flush(): Promise<void> {
    const moves = this.#open;
    this.#open = [];
    if (moves.length === 0) return;
    try {
      await this.#write(moves);
    } catch (error) {
      this.#open.push(...moves);
      throw error;
    }
    for (const move of moves) this.#deps.onMoved(move);
  }

  /** The same, tried again until `deadline`, on the clock of `performance.now()`. */
  async flushBefore(deadline: number): Promise<void> {
    for (;;)
      try {
        return await this.flush();
      } catch (err) {
        this.#deps.log.warn({ err, deliveries: this.pending }, "work could not be given back");
        if (performance.now() + AGAIN_AFTER_MS > deadline) return;
        await delay(AGAIN_AFTER_MS);
      }
  }

  #write(moves: readonly Move[]): Promise<void> {
    const { db, boss } = this.#deps;
    return withTransaction(db, async (tx) => {
      for (const [queue, mine] of Map.groupBy(moves, (move) => move.queue))
        await enqueueDeliveries(
          boss,
          tx,
          queue,
          mine.map((move) => move.job),
        );
      await moveToJobs(
        tx,
        moves.flatMap(({ job, tasks }) =>
          tasks.map(({ due }) => ({ ...due, toJobId: job.id, notBefore: job.startAfter })),
        ),
      );
    });
  }
}
