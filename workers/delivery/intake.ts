import type { Claimed, ClaimRequest } from "./claim-jobs.ts";
import { type ClaimDeps, claimJobs } from "./claim-jobs.ts";
import type { RunEnd } from "./poller.ts";
import { noAnswer, type Try } from "./settlement.ts";
import type { Settler } from "./settler.ts";
import type { Targets } from "./targets.ts";
import type { Chunk, Task } from "./types.ts";

export interface IntakeDeps {
  claim: ClaimDeps;
  targets: Targets;
  settler: Settler;
  /** Whether this worker may take anything right now. */
  mayClaim(): boolean;
  admit(tasks: readonly Task[]): Promise<void>;
  settle(tried: Try, chunk: Chunk): void;
  onUnreadable(error: unknown, endpointId: string): void;
}

const MAX_JOBS = 200;

/** Takes jobs from the queues and makes tasks of them: reads endpoints, drops what is no longer to be sent. */
export class Intake {
  readonly #deps: IntakeDeps;
  /** How many deliveries a job has held lately, to guess how many jobs fill the room. */
  #perJob = 1;

  constructor(deps: IntakeDeps) {
    this.#deps = deps;
  }

  /** Takes as many jobs as fill `room` deliveries, about. */
  async fill(queue: ClaimRequest["queue"], room: number): Promise<RunEnd> {
    const limit = Math.min(MAX_JOBS, Math.ceil(room / this.#perJob));
    if (limit <= 0) return "full";
    const claimed = await this.take({ queue, limit });
    const deliveries = claimed.reduce((sum, each) => sum + each.due.length, 0);
    if (claimed.length > 0) this.#perJob = Math.max(1, (this.#perJob + deliveries / claimed.length) / 2);
    return claimed.length === limit ? "more" : "idle";
  }

  async take(request: ClaimRequest): Promise<Claimed[]> {
    if (!this.#deps.mayClaim()) return [];
    const claimed = await claimJobs(this.#deps.claim, request);
    const tasks = await Promise.all(claimed.map((each) => this.#tasksOf(each)));
    await this.#deps.admit(tasks.flat());
    return claimed;
  }

  async #tasksOf({ chunk, due }: Claimed): Promise<Task[]> {
    const { targets, settler, settle, onUnreadable } = this.#deps;
    if (due.length === 0) settler.finish(chunk);
    const tasks: Task[] = [];
    for (const delivery of due) {
      try {
        const target = await targets.get(delivery.tenantId, delivery.endpointId, delivery.endpointVersion);
        const task = { due: delivery, target, chunk };
        if (delivery.endpointOpen) tasks.push(task);
        else settler.cancel(task);
      } catch (error) {
        onUnreadable(error, delivery.endpointId);
        settle(
          { due: delivery, startedAt: new Date(), url: "", sent: null, result: noAnswer("internal", 0) },
          chunk,
        );
      }
    }
    return tasks;
  }
}
