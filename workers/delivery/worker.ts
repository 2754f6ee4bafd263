import { setTimeout as delay } from "node:timers/promises";
import { uuidv7 } from "uuidv7";
import { type DeliveryQueue, QUEUES } from "#server/queue/queues.ts";
import { Intake } from "./intake.ts";
import { type Flight, Lanes } from "./lanes.ts";
import { Lease } from "./lease.ts";
import { makeAttempt } from "./make-attempt.ts";
import { Poller, type RunEnd } from "./poller.ts";
import { giveBack, putOff } from "./requeue.ts";
import { noAnswer, settlementOf, type Try } from "./settlement.ts";
import { Settler } from "./settler.ts";
import { Sweeper } from "./sweeper.ts";
import { Targets } from "./targets.ts";
import type { Chunk, Task, WorkerDeps } from "./types.ts";

const MAX_IN_FLIGHT = 256;
/**
 * Deliveries of each queue that are held at most, waiting or in flight: fetched ahead of need. The shares put fresh
 * work before retries and retries before replays, and leave each of them some way through.
 */
const MAX_HELD: Partial<Record<DeliveryQueue, number>> = {
  [QUEUES.deliver.name]: 1_000,
  [QUEUES.deliverRetry.name]: 150,
  [QUEUES.deliverReplay.name]: 50,
};
const SLOW_AFTER_MS = 1_000;
const SLOW_JOBS_PER_FETCH = 8;
const TICK_MS = 250;
const POLL_MS = 1_000;
const SLOW_POLL_MS = 250;
const SWEEP_MS = 500;
const DRAIN_MS = 5_000;

/** Takes delivery jobs, sends what they name and settles the results, until it is stopped. */
export class DeliveryWorker {
  readonly #deps: WorkerDeps;
  readonly #lease: Lease;
  readonly #settler: Settler;
  readonly #intake: Intake;
  readonly #fast = new Map<DeliveryQueue, Poller>();
  readonly #slow: Poller;
  readonly #others: Poller[];
  readonly #lanes = new Lanes<Task>({
    maxInFlight: MAX_IN_FLIGHT,
    slowAfterMs: SLOW_AFTER_MS,
    kindOf: (task) => task.chunk.queue,
  });
  #stopping = false;

  constructor(deps: WorkerDeps) {
    this.#deps = deps;
    const { db, boss, log } = deps;
    const worker = () => this.#lease.number;
    this.#lease = new Lease({ db, databaseUrl: deps.databaseUrl, log, onWake: () => this.wake() });
    const onRetry = (at: Date) => this.#fast.get(QUEUES.deliverRetry.name)?.kickAt(at);
    this.#settler = new Settler({ db, boss, log, worker, onRetry });
    this.#intake = new Intake({
      claim: { db, boss, worker, onLost: (tries) => log.warn({ tries }, "tries lost with their worker") },
      targets: new Targets(db, deps.keyring),
      settler: this.#settler,
      mayClaim: () => this.#lease.held && !this.#stopping,
      admit: (tasks) => this.#admit(tasks),
      settle: (tried, chunk) => this.#settle(tried, chunk),
      onUnreadable: (err, endpoint) => log.error({ err, endpoint }, "endpoint cannot be read"),
    });
    for (const [queue, max] of Object.entries(MAX_HELD) as [DeliveryQueue, number][])
      this.#fast.set(
        queue,
        new Poller(POLL_MS, () => this.#intake.fill(queue, this.#roomFor(queue, max)), log),
      );
    this.#slow = new Poller(SLOW_POLL_MS, () => this.#takeSlow(), log);
    const sweeper = new Sweeper({ db, boss, worker });
    this.#others = [
      new Poller(TICK_MS, () => this.#tick(), log),
      new Poller(SWEEP_MS, () => this.#sweep(sweeper), log),
    ];
  }

  get #pollers(): Poller[] {
    return [...this.#fast.values(), this.#slow, ...this.#others];
  }

  /** Begins to work. Rejects when the database cannot be reached. */
  async start(): Promise<void> {
    await this.#lease.take();
    for (const poller of this.#pollers) poller.start();
  }

  /** There may be fresh work. */
  wake(): void {
    this.#fast.get(QUEUES.deliver.name)?.kick();
    this.#fast.get(QUEUES.deliverReplay.name)?.kick();
  }

  /**
   * Takes nothing new, gives back what has not begun, lets requests end for up to five seconds and logs those that did
   * not as lost, to be sent again by whoever runs next. Settles when everything is written.
   */
  async stop(): Promise<void> {
    this.#stopping = true;
    await Promise.all(this.#pollers.map((poller) => poller.stop()));
    const waiting = this.#lanes.drain();
    await giveBack(this.#deps, waiting).catch((err) =>
      this.#deps.log.error({ err }, "could not give work back"),
    );
    for (const task of waiting) this.#settler.close(task.chunk);
    const deadline = performance.now() + DRAIN_MS;
    while (this.#lanes.flights().length > 0 && performance.now() < deadline) await delay(20);
    for (const flight of this.#lanes.flights()) this.#land(flight, abandoned(flight));
    await this.#settler.drain();
    await this.#lease.release();
  }

  #roomFor(queue: DeliveryQueue, max: number): number {
    return max - this.#lanes.load(queue) - this.#settler.pending;
  }

  /** One job per endpoint at a time, over all workers, and none for endpoints that have their fill. */
  async #takeSlow(): Promise<RunEnd> {
    const ignoreGroups = this.#lanes.busyKeys();
    const queue = QUEUES.deliverSlow.name;
    const claimed = await this.#intake.take({ queue, limit: SLOW_JOBS_PER_FETCH, ignoreGroups });
    return claimed.length > 0 ? "more" : "idle";
  }

  /** Puts tasks into their lanes; those of endpoints known to be slow go to the slow queue instead. */
  async #admit(tasks: readonly Task[]): Promise<void> {
    const late: Task[] = [];
    for (const task of tasks) {
      const { endpointId } = task.due;
      if (mayLeave(task) && this.#lanes.isSlow(endpointId)) late.push(task);
      else this.#lanes.add(endpointId, task.target.maxInFlight, task);
    }
    this.#launch();
    await this.#putOff(late);
  }

  /** Moves tasks to the slow queue; when that fails they stay in their lanes and are moved by a later tick. */
  async #putOff(tasks: readonly Task[]): Promise<void> {
    if (tasks.length === 0) return;
    try {
      await putOff(this.#deps, tasks);
    } catch (error) {
      for (const task of tasks) this.#lanes.add(task.due.endpointId, task.target.maxInFlight, task);
      throw error;
    }
    for (const task of tasks) this.#settler.close(task.chunk);
  }

  #launch(): void {
    for (;;) {
      const flight = this.#stopping ? undefined : this.#lanes.start(performance.now());
      if (!flight) return;
      const { sender, version, log } = this.#deps;
      const onInternalError = (err: unknown, { due }: Task) =>
        log.error({ err, delivery: due.id }, "attempt failed on our side");
      void makeAttempt(flight.item, { sender, version, onInternalError }).then((tried) =>
        this.#land(flight, tried),
      );
    }
  }

  #land(flight: Flight<Task>, tried: Try): void {
    const { chunk } = flight.item;
    if (!this.#lanes.end(flight, performance.now())) return;
    this.#settle(tried, chunk);
    this.#launch();
    const max = MAX_HELD[chunk.queue];
    if (max === undefined) {
      if (chunk.open === 0) this.#slow.kick();
    } else if (this.#lanes.load(chunk.queue) < max / 2) this.#fast.get(chunk.queue)?.resume();
  }

  #settle(tried: Try, chunk: Chunk): void {
    const { retryScale } = this.#deps;
    const draw = { now: new Date(), random: Math.random(), attemptId: uuidv7(), jobId: uuidv7(), retryScale };
    this.#settler.settle(settlementOf(tried, draw), chunk);
  }

  async #tick(): Promise<RunEnd> {
    const leaving = this.#lanes.tick(performance.now(), mayLeave);
    this.#launch();
    await this.#putOff(leaving);
    return "idle";
  }

  async #sweep(sweeper: Sweeper): Promise<RunEnd> {
    const jobs = this.#lease.held ? await sweeper.sweep() : 0;
    if (jobs === 0) return "idle";
    this.#deps.log.warn({ jobs }, "jobs of a vanished worker put back");
    for (const poller of [...this.#fast.values(), this.#slow]) poller.kick();
    return "idle";
  }
}

/** What came from the slow queue waits where it is; to put it off again would lead nowhere. */
const mayLeave = (task: Task) => task.chunk.queue !== QUEUES.deliverSlow.name;

function abandoned({ item, startedAt }: Flight<Task>): Try {
  const totalMs = performance.now() - startedAt;
  const began = new Date(Date.now() - totalMs);
  return {
    due: item.due,
    startedAt: began,
    url: item.target.url,
    sent: null,
    result: noAnswer("worker_lost", totalMs),
  };
}
