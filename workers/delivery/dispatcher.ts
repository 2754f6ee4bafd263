import { setTimeout as delay } from "node:timers/promises";
import { uuidv7 } from "uuidv7";
import type { DeliveryQueue } from "#server/queue/queues.ts";
import { NO_TRACER } from "#server/tracing/tracer.ts";
import { type Parked, passBreakers } from "./breaker-gate.ts";
import { type Breakers, toBreaker } from "./breakers.ts";
import { deliveryLanes, laneOf, type RequestLimiter } from "./delivery-lanes.ts";
import type { Flight } from "./lane.ts";
import type { Lanes } from "./lanes.ts";
import { abandoned, makeAttempt } from "./make-attempt.ts";
import { backToQueues, type Move, Requeue, toLater, toSlowQueue } from "./requeue.ts";
import { settlementOf, type Try } from "./settlement.ts";
import type { Settler } from "./settler.ts";
import type { Chunk, Task, WorkerDeps } from "./types.ts";
import { BEGIN_WITHIN_MS, hasToLeave, isOld, mayLeave } from "./waiting.ts";

export interface DispatcherDeps extends WorkerDeps {
  settler: Settler;
  breakers: Breakers;
  /** Of the requests to endpoints that have a rate. */
  limiter: RequestLimiter;
  /** Whether a request may begin right now. */
  maySend(): boolean;
  /** Room has come about for more of a queue. */
  onRoom(queue: DeliveryQueue): void;
  /** Work has been put into a queue. */
  onMoved(queue: DeliveryQueue, deliveries: number): void;
}

export const TICK_MS = 250;
const FROZEN_AFTER_MS = 2_000;

/** Brings tasks into their lanes, sends what may be sent, and moves what would wait too long to another job. */
export class Dispatcher {
  readonly #deps: DispatcherDeps;
  readonly #requeue: Requeue;
  readonly #lanes: Lanes<Task>;
  readonly #isHanging = (endpointId: string) => this.#lanes.state(endpointId)?.isHanging ?? false;
  /** When endpoints were last told to have become others, on the clock of `performance.now()`. */
  readonly #changedAt = new Map<string, number>();
  #tickedAt = Number.POSITIVE_INFINITY;
  #resume: NodeJS.Timeout | undefined;

  constructor(deps: DispatcherDeps) {
    this.#deps = deps;
    this.#lanes = deliveryLanes(deps.limiter);
    const { db, boss, log } = deps;
    this.#requeue = new Requeue({ db, boss, log, onMoved: (move) => this.#moved(move) });
  }

  /** Deliveries of a queue that wait or are being sent; what hangs does not count. */
  load(queue: DeliveryQueue): number {
    return this.#lanes.load(queue);
  }

  /** Bytes of their bodies. */
  bytes(queue: DeliveryQueue): number {
    return this.#lanes.bytes(queue);
  }

  /** The lanes of all endpoints that have or had something to do. */
  lanes(): ReturnType<Lanes<Task>["states"]> {
    return this.#lanes.states();
  }

  /** Requests under way, and how many of them have lasted so long that they no longer count as quick. */
  inFlight(): { all: number; hanging: number } {
    const flights = this.#lanes.flights();
    return { all: flights.length, hanging: flights.filter((flight) => flight.isSlow).length };
  }

  /** Endpoints that have as much as they may. */
  busyEndpoints(): string[] {
    return this.#lanes.busyKeys();
  }

  /**
   * Puts tasks into their lanes; those of endpoints known to be slow go to the slow queue instead, as do those whose
   * endpoints' circuit breakers are open, and those that were read before their endpoint changed go back.
   */
  async admit(tasks: readonly Task[]): Promise<void> {
    const { breakers } = this.#deps;
    if (breakers.isQuiet) this.#place(tasks);
    else {
      const { through, parked } = await passBreakers(breakers, tasks);
      // Somebody else may have got the jobs meanwhile.
      this.#place(through.filter(({ chunk }) => !chunk.isLost));
      this.#park(parked);
    }
    await this.#requeue.flush();
  }

  #place(tasks: readonly Task[]): void {
    const now = performance.now();
    const late: Task[] = [];
    const stale: Task[] = [];
    for (const task of tasks) {
      const { endpointId } = task.due;
      const lane = this.#lanes.state(endpointId);
      const isSlow = lane !== undefined && (lane.isHanging || lane.isCrowded);
      const changedAt = this.#changedAt.get(endpointId);
      if (changedAt !== undefined && changedAt >= task.chunk.claimedAt) stale.push(task);
      else if (isOld(task, now) || (isSlow && mayLeave(task))) late.push(task);
      else this.#lanes.add(laneOf(task), task, now);
    }
    this.launch();
    this.#putOff(late);
    this.#giveUp(stale);
  }

  /** Puts off what waits for an endpoint whose circuit breaker has opened. */
  shut(endpointId: string): void {
    const until = this.#deps.breakers.shutUntil(endpointId);
    const waiting = this.#lanes.takeOut((task) => !task.isProbe, endpointId);
    this.#park(waiting.map((task) => ({ task, until })));
    if (waiting.length > 0) this.#requeue.flush().catch(() => {});
  }

  /**
   * Gives back what waits for an endpoint that has become another: it is read again, and sent, held or cancelled as the
   * endpoint wants it now. Requests that are under way go on.
   */
  putBack(endpointId: string): void {
    this.#changedAt.set(endpointId, performance.now());
    const waiting = this.#lanes.takeOut(() => true, endpointId);
    this.#giveUp(waiting);
    if (waiting.length > 0) this.#requeue.flush().catch(() => {});
  }

  /** Begins every request that may begin. */
  launch(): void {
    const now = performance.now();
    // A process that was frozen: what is waiting may be somebody else's by now.
    if (now - this.#tickedAt > FROZEN_AFTER_MS) this.#putOffWaiting(now);
    while (this.#deps.maySend()) {
      const flight = this.#lanes.start(now);
      if (!flight) {
        this.#launchAt(this.#lanes.resumeAt);
        return;
      }
      const { sender, version, log, clock, tracer = NO_TRACER } = this.#deps;
      const onInternalError = (err: unknown, { due }: Task) =>
        log.error({ err, delivery: due.id }, "attempt failed on our side");
      void makeAttempt(flight.item, { sender, version, tracer, clock, onInternalError }).then((tried) =>
        this.#land(flight, tried),
      );
    }
  }

  /** Launches again when an endpoint's rate allows for the next request. */
  #launchAt(at: number): void {
    clearTimeout(this.#resume);
    if (at !== Number.POSITIVE_INFINITY)
      this.#resume = setTimeout(() => this.launch(), Math.max(1, at - performance.now()));
  }

  /** To be called every `TICK_MS`: what has come to wait for slow requests is moved to the slow queue. */
  async tick(): Promise<void> {
    const now = performance.now();
    this.#lanes.tick(now);
    for (const [endpointId, at] of this.#changedAt)
      if (now - at > BEGIN_WITHIN_MS) this.#changedAt.delete(endpointId);
    this.#putOffWaiting(now);
    this.launch();
    await this.#requeue.flush();
  }

  /** Drops what waits although its job is lost: it is in the hands of others. */
  dropLost(): void {
    this.#lanes.takeOut((task) => task.chunk.isLost);
  }

  /** Settles a try that was made, or one that could not be. */
  settle(tried: Try, chunk: Chunk, isProbe = false): void {
    const { retryScale, settler, breakers, clock } = this.#deps;
    const now = new Date(clock?.now() ?? Date.now());
    const draw = { now, random: Math.random(), newId: uuidv7, retryScale };
    const { row, breaker } = toBreaker(breakers, settlementOf(tried, draw), { tried, isProbe });
    const { run } = chunk;
    const isShut = breaker !== undefined && breaker.kind !== "answered";
    if (run && isShut) run.notBefore = breakers.shutUntil(row.endpointId).getTime();
    if (run && row.status === "pending") {
      run.hasFailed = true;
      settler.settle({ ...row, jobId: chunk.id, waitsInQueue: true }, chunk);
      this.#giveUp(this.#lanes.takeOut((task) => task.chunk === chunk, row.endpointId));
    } else settler.settle(row, chunk);
    if (row.outcome === "disable") this.#cancelWaiting(row.endpointId);
    else if (isShut) this.shut(row.endpointId);
  }

  /**
   * Gives back what waits, to the queues it came from, and lets requests end until `deadline`, on the clock of
   * `performance.now()`; those that have not ended by then are settled as lost.
   */
  async stop(deadline: number): Promise<void> {
    this.#giveUp(this.#lanes.takeOut(() => true));
    clearTimeout(this.#resume);
    await Promise.all([this.#requeue.flushBefore(deadline), this.#landed(deadline)]);
    for (const flight of this.#lanes.flights()) this.#land(flight, abandoned(flight.item, flight.startedAt));
  }

  async #landed(deadline: number): Promise<void> {
    while (this.#lanes.flights().length > 0 && performance.now() < deadline) await delay(20);
  }

  #putOffWaiting(now: number): void {
    this.#tickedAt = now;
    const leaving = this.#lanes.takeOut((task, lane, position) => hasToLeave(task, lane, position, now));
    this.#putOff(leaving);
  }

  /** Has tasks moved to the slow queue. */
  #putOff(tasks: readonly Task[]): void {
    this.#requeue.add(toSlowQueue(this.#leaveInQueue(tasks), this.#isHanging));
  }

  /** Has tasks wait until their endpoints' circuit breakers let something through. */
  #park(parked: readonly Parked[]): void {
    for (const { task, until } of parked) if (task.chunk.run) task.chunk.run.notBefore = until.getTime();
    const tasks = new Set(this.#leaveInQueue(parked.map(({ task }) => task)));
    this.#requeue.add(toLater(parked.filter(({ task }) => tasks.has(task))));
  }

  /** Has tasks moved back to the queues that they came from. */
  #giveUp(tasks: readonly Task[]): void {
    this.#requeue.add(backToQueues(this.#leaveInQueue(tasks), this.#isHanging));
  }

  /** What is of an ordered endpoint is still in its queue, and gets its turn there; gives the others. */
  #leaveInQueue(tasks: readonly Task[]): Task[] {
    return tasks.filter(({ chunk }) => {
      if (chunk.run) this.#deps.settler.close(chunk);
      return !chunk.run;
    });
  }

  #moved({ queue, tasks, job }: Move): void {
    if (job.startAfter && job.group) this.#deps.breakers.parked(job.group);
    this.#deps.log.debug({ deliveries: tasks.length, queue }, "put off");
    for (const task of tasks) this.#deps.settler.close(task.chunk);
    this.#deps.onMoved(queue, tasks.length);
  }

  #land(flight: Flight<Task>, tried: Try): void {
    const { chunk, isProbe } = flight.item;
    if (!this.#lanes.end(flight, performance.now())) return;
    this.settle(tried, chunk, isProbe);
    this.launch();
    this.#deps.onRoom(chunk.queue);
  }

  /** The endpoint is disabled as soon as its last answer is written. */
  #cancelWaiting(endpointId: string): void {
    for (const task of this.#lanes.takeOut(() => true, endpointId))
      this.#deps.settler.cancel(task.due, task.chunk);
  }
}
