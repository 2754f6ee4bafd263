import { setTimeout as delay } from "node:timers/promises";
import { isConnectionError, isPassing } from "#db/database-errors.ts";
import { type DueDelivery, listDue } from "#db/queries/list-due.ts";
import type { DeliveryQueue } from "#server/queue/queues.ts";
import { type ClaimDeps, type ClaimedJob, type ClaimRequest, claimJobs, namedBy } from "./claim-jobs.ts";
import { FetchSize } from "./fetch-size.ts";
import type { HeldChunks } from "./held-chunks.ts";
import type { EngineObserver } from "./observer.ts";
import type { OrderedRuns } from "./ordered-runs.ts";
import type { RunEnd } from "./poller.ts";
import { noAnswer, type Try } from "./settlement.ts";
import type { Settler } from "./settler.ts";
import type { Targets } from "./targets.ts";
import type { Chunk, Task } from "./types.ts";

export interface IntakeDeps {
  claim: ClaimDeps;
  held: HeldChunks;
  targets: Targets;
  settler: Settler;
  runs: Pick<OrderedRuns, "begin" | "join">;
  /** Whether this worker may take anything right now. */
  mayClaim(): boolean;
  /** Whether there is still somebody to send what was taken. */
  isStopping(): boolean;
  admit(tasks: readonly Task[]): Promise<void>;
  settle(tried: Try, chunk: Chunk): void;
  observer?: EngineObserver | undefined;
  /** Nobody knows whether jobs were taken in this worker's name. */
  onDoubt(): void;
  onUnreadable(error: unknown, endpointId: string): void;
}

const AGAIN_AFTER_MS = 250;
const MAX_BODY_BYTES = 256 * 1024;

/** Takes jobs from the queues and makes tasks of them: reads endpoints, drops what is no longer to be sent. */
export class Intake {
  readonly #deps: IntakeDeps;
  readonly #sizes = new Map<DeliveryQueue, FetchSize>();
  readonly #claiming = new Set<Promise<unknown>>();
  #bytesPerDelivery = MAX_BODY_BYTES;

  constructor(deps: IntakeDeps) {
    this.#deps = deps;
  }

  /** Bytes of a body, about: nobody knows how large one is before it is read. Follows what is large at once. */
  get bytesPerDelivery(): number {
    return this.#bytesPerDelivery;
  }

  /** Takes as many jobs as fill `room` deliveries, about. */
  async fill(queue: DeliveryQueue, room: number): Promise<RunEnd> {
    const { asked, jobs } = await this.#fill(queue, room);
    if (asked === 0) return "full";
    return jobs === asked ? "more" : "idle";
  }

  /** Takes so many jobs, as long as there are any and `room` for them. */
  async takeAll(queue: DeliveryQueue, jobs: number, room: () => number): Promise<void> {
    for (let left = jobs; left > 0; ) {
      const taken = await this.#fill(queue, room(), left);
      if (taken.jobs === 0) return;
      left -= taken.jobs;
    }
  }

  async #fill(queue: DeliveryQueue, room: number, atMost = room): Promise<{ asked: number; jobs: number }> {
    const size = this.#sizes.get(queue) ?? new FetchSize();
    this.#sizes.set(queue, size);
    const limit = Math.min(atMost, size.for(room));
    if (limit === 0) return { asked: 0, jobs: 0 };
    const { jobs, deliveries } = await this.take({ queue, limit });
    size.learn({ asked: limit, jobs, deliveries });
    return { asked: limit, jobs };
  }

  /** Takes jobs; gives how many there were, and how many deliveries they held. */
  async take(request: ClaimRequest): Promise<{ jobs: number; deliveries: number }> {
    if (!this.#deps.mayClaim()) return { jobs: 0, deliveries: 0 };
    const claiming = this.#claim(request);
    this.#claiming.add(claiming);
    const { claimed, due } = await claiming.finally(() => this.#claiming.delete(claiming));
    if (claimed.length === 0) return { jobs: 0, deliveries: 0 };
    this.#deps.observer?.claimed(request.queue, claimed.length);
    const tasks = await this.#read(claimed, due);
    this.#learnBytes(tasks);
    // Somebody else may have got the jobs while they were being read.
    await this.#deps.admit(tasks.filter((task) => !task.chunk.isLost));
    return { jobs: claimed.length, deliveries: tasks.length };
  }

  #learnBytes(tasks: readonly Task[]): void {
    if (tasks.length === 0) return;
    const bytes = tasks.reduce((sum, { due }) => sum + due.body.length, 0) / tasks.length;
    this.#bytesPerDelivery = Math.max(1, bytes, this.#bytesPerDelivery / 4);
  }

  /** Settles when no jobs are being taken: all that were are known by then. */
  async quiet(): Promise<void> {
    await Promise.allSettled(this.#claiming);
  }

  async #claim(request: ClaimRequest): Promise<{ claimed: Claimed[]; due: EarlyDue }> {
    const { claim, held, onDoubt } = this.#deps;
    const { queue } = request;
    const claimedAt = performance.now();
    try {
      let due: EarlyDue;
      const jobs = await claimJobs(claim, request, (first) => {
        if (first.some((job) => job.ordered)) return;
        due = listDue(claim.db, namedBy(first)).catch(() => undefined);
      });
      const claimed = jobs.map((job) => {
        const { id, retryCount, isAsked } = job;
        const asked = isAsked ? { isAsked } : {};
        return { job, chunk: { id, retryCount, queue, claimedAt, open: 0, isLost: false, ...asked } };
      });
      held.add(claimed.map(({ chunk }) => chunk));
      return { claimed, due };
    } catch (error) {
      if (isConnectionError(error)) onDoubt();
      throw error;
    }
  }

  async #read(claimed: readonly Claimed[], early: EarlyDue): Promise<Task[]> {
    const { claim, held, onDoubt } = this.#deps;
    try {
      await Promise.all(claimed.map((each) => this.#beginRun(each)));
      const named = namedBy(claimed.map(({ job }) => job));
      const found = (await early) ?? (await this.#untilBack(() => listDue(claim.db, named)));
      const due = Map.groupBy(found, ({ jobId }) => jobId);
      const tasks = await Promise.all(
        claimed.map(({ chunk }) => this.#tasksOf(chunk, due.get(chunk.id) ?? [])),
      );
      return tasks.flat();
    } catch (error) {
      // Nobody here will do these jobs: as soon as they are not ours any more, they are handed out again.
      held.delete(claimed.map(({ chunk }) => chunk));
      onDoubt();
      throw error;
    }
  }

  /** The deliveries of a job of an ordered endpoint are found out when it is taken. */
  async #beginRun(claimed: Claimed): Promise<void> {
    const begun = await this.#untilBack(() => this.#deps.runs.begin(claimed.job));
    if (!begun) return;
    claimed.chunk.run = begun.run;
    claimed.job.deliveryIds = begun.deliveryIds;
  }

  async #tasksOf(chunk: Chunk, due: readonly DueDelivery[]): Promise<Task[]> {
    const { targets, settler, settle, onUnreadable } = this.#deps;
    chunk.open = due.length;
    if (due.length === 0) settler.finish(chunk);
    const tasks: Task[] = [];
    const joining: DueDelivery[] = [];
    for (const delivery of chunk.run ? due.toSorted(bySequence) : due) {
      try {
        const { tenantId, endpointId, endpointVersion, endpointState } = delivery;
        if (chunk.run?.hasFailed) settler.close(chunk);
        else if (endpointState === "closed") settler.cancel(delivery, chunk);
        else if (isOutOfLine(delivery, chunk)) joining.push(delivery);
        else if (endpointState === "held" && chunk.run) settler.close(chunk);
        else if (endpointState === "held") settler.hold(delivery, chunk);
        else {
          const target =
            targets.known(endpointId, endpointVersion) ??
            (await this.#untilBack(() => targets.get(tenantId, endpointId, endpointVersion)));
          tasks.push({ due: delivery, target, chunk });
        }
      } catch (error) {
        if (isPassing(error)) throw error;
        onUnreadable(error, delivery.endpointId);
        const startedAt = new Date();
        settle(
          {
            due: delivery,
            startedAt,
            url: "",
            retryPolicy: null,
            sent: null,
            result: noAnswer("internal", 0),
          },
          chunk,
        );
      }
    }
    if (joining.length > 0)
      this.#deps.runs.join(joining, () => {
        for (const _ of joining) settler.close(chunk);
      });
    return tasks;
  }

  /** What was taken is read however long the database is away, or until there is nobody left to send it. */
  async #untilBack<T>(read: () => Promise<T>): Promise<T> {
    for (;;)
      try {
        return await read();
      } catch (error) {
        if (!isPassing(error) || this.#deps.isStopping()) throw error;
        await delay(AGAIN_AFTER_MS);
      }
  }
}

/** Deliveries to an ordered endpoint go through its queue, whatever job was to send them; tests do not. */
const isOutOfLine = ({ sequence, trigger }: DueDelivery, chunk: Chunk) =>
  sequence !== null && !chunk.run && trigger !== "test";

const bySequence = (a: DueDelivery, b: DueDelivery) =>
  Number(BigInt(a.sequence ?? 0) - BigInt(b.sequence ?? 0));

/** What was read while the claims were being committed; `undefined` where that was not done, or has failed. */
type EarlyDue = Promise<DueDelivery[] | undefined> | undefined;

interface Claimed {
  job: ClaimedJob;
  chunk: Chunk;
}
