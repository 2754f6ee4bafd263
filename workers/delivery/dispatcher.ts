import { setTimeout as delay } from "node:timers/promises";
import { uuidv7 } from "uuidv7";
import type { DeliveryQueue } from "#server/queue/queues.ts";
import { QUEUES } from "#server/queue/queues.ts";
import { NO_TRACER } from "#server/tracing/tracer.ts";
import { type Flight, type LaneState, Lanes } from "./lanes.ts";
import { makeAttempt } from "./make-attempt.ts";
import { backToQueues, type Move, Requeue, toSlowQueue } from "./requeue.ts";
import { noAnswer, settlementOf, type Try } from "./settlement.ts";
import type { Settler } from "./settler.ts";
import type { Chunk, Task, WorkerDeps } from "./types.ts";

export interface DispatcherDeps extends WorkerDeps {
  settler: Settler;
  /** Whether a request may begin right now. */
  maySend(): boolean;
  /** Room has come about for more of a queue. */
  onRoom(queue: DeliveryQueue): void;
  /** Work has been put into a queue. */
  onMoved(queue: DeliveryQueue, deliveries: number): void;
}

const MAX_IN_FLIGHT = 256;
export const MAX_SLOW_IN_FLIGHT = 1_024;
const SLOW_AFTER_MS = 1_000;
const STALLED_AFTER_MS = 300;
const CROWDED_AFTER_MS = 2_000;
/** A request that begins so long after its job was taken can still end and be written before the job expires. */
const BEGIN_WITHIN_MS = 60_000;
export const TICK_MS = 250;
const FROZEN_AFTER_MS = 2_000;
const AGAIN_AFTER_MS = 200;

/** Brings tasks into their lanes, sends what may be sent, and moves what would wait too long to another job. */
export class Dispatcher {
  readonly #deps: DispatcherDeps;
  readonly #requeue: Requeue;
  readonly #lanes = new Lanes<Task>({
    kindOf: (task) => task.chunk.queue,
    slowKind: QUEUES.deliverSlow.name,
    maxQuick: MAX_IN_FLIGHT,
    maxSlow: MAX_SLOW_IN_FLIGHT,
    slowAfterMs: SLOW_AFTER_MS,
    stalledAfterMs: STALLED_AFTER_MS,
    crowdedAfterMs: CROWDED_AFTER_MS,
  });
  readonly #isHanging = (endpointId: string) => this.#lanes.state(endpointId)?.isHanging ?? false;
  /** When endpoints were last told to have become others, on the clock of `performance.now()`. */
  readonly #changedAt = new Map<string, number>();
  #tickedAt = Number.POSITIVE_INFINITY;

  constructor(deps: DispatcherDeps) {
    this.#deps = deps;
    const { db, boss } = deps;
    this.#requeue = new Requeue({ db, boss, onMoved: (move) => this.#moved(move) });
  }

  /** Deliveries of a queue that wait or are being sent; what hangs does not count. */
  load(queue: DeliveryQueue): number {
    return this.#lanes.load(queue);
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
   * Puts tasks into their lanes; those of endpoints known to be slow go to the slow queue instead, and those that were read
   * before their endpoint changed go back.
   */
  async admit(tasks: readonly Task[]): Promise<void> {
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
      else this.#lanes.add(endpointId, task.chunk.run ? 1 : task.target.maxInFlight, task, now);
    }
    this.launch();
    this.#putOff(late);
    this.#giveUp(stale);
    await this.#requeue.flush();
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
    for (;;) {
      const flight = this.#deps.maySend() ? this.#lanes.start(now) : undefined;
      if (!flight) return;
      const { sender, version, log, tracer = NO_TRACER } = this.#deps;
      const onInternalError = (err: unknown, { due }: Task) =>
        log.error({ err, delivery: due.id }, "attempt failed on our side");
      void makeAttempt(flight.item, { sender, version, tracer, onInternalError }).then((tried) =>
        this.#land(flight, tried),
      );
    }
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
  settle(tried: Try, chunk: Chunk): void {
    const { retryScale, settler } = this.#deps;
    const draw = { now: new Date(), random: Math.random(), newId: uuidv7, retryScale };
    const row = settlementOf(tried, draw);
    const { run } = chunk;
    if (run && row.status === "pending") {
      run.hasFailed = true;
      settler.settle({ ...row, jobId: chunk.id, waitsInQueue: true }, chunk);
      this.#giveUp(this.#lanes.takeOut((task) => task.chunk === chunk, row.endpointId));
    } else settler.settle(row, chunk);
    if (row.outcome === "disable") this.#cancelWaiting(row.endpointId);
  }

  /**
   * Gives back what waits, to the queues it came from, and lets requests end until `deadline`, on the clock of
   * `performance.now()`; those that have not ended by then are settled as lost.
   */
  async stop(deadline: number): Promise<void> {
    this.#giveUp(this.#lanes.takeOut(() => true));
    await Promise.all([this.#giveBack(deadline), this.#landed(deadline)]);
    for (const flight of this.#lanes.flights()) this.#land(flight, abandoned(flight));
  }

  async #giveBack(deadline: number): Promise<void> {
    for (;;)
      try {
        return await this.#requeue.flush();
      } catch (err) {
        const { log } = this.#deps;
        log.warn({ err, deliveries: this.#requeue.pending }, "work could not be given back");
        if (performance.now() + AGAIN_AFTER_MS > deadline) return;
        await delay(AGAIN_AFTER_MS);
      }
  }

  async #landed(deadline: number): Promise<void> {
    while (this.#lanes.flights().length > 0 && performance.now() < deadline) await delay(20);
  }

  #putOffWaiting(now: number): void {
    this.#tickedAt = now;
    const leaving = this.#lanes.takeOut(
      (task, lane, position) =>
        isOld(task, now) || (mayLeave(task) && hasToLeave(lane, position)) || isBehind(task, lane),
    );
    this.#putOff(leaving);
  }

  /** Has tasks moved to the slow queue. */
  #putOff(tasks: readonly Task[]): void {
    this.#requeue.add(toSlowQueue(this.#leaveInQueue(tasks), this.#isHanging));
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

  #moved({ queue, tasks }: Move): void {
    this.#deps.log.debug({ deliveries: tasks.length, queue }, "put off");
    for (const task of tasks) this.#deps.settler.close(task.chunk);
    this.#deps.onMoved(queue, tasks.length);
  }

  #land(flight: Flight<Task>, tried: Try): void {
    const { chunk } = flight.item;
    if (!this.#lanes.end(flight, performance.now())) return;
    this.settle(tried, chunk);
    this.launch();
    this.#deps.onRoom(chunk.queue);
  }

  /** The endpoint is disabled as soon as its last answer is written. */
  #cancelWaiting(endpointId: string): void {
    for (const task of this.#lanes.takeOut(() => true, endpointId))
      this.#deps.settler.cancel(task.due, task.chunk);
  }
}

const isOld = (task: Task, now: number) => now - task.chunk.claimedAt > BEGIN_WITHIN_MS;

/** What came from the slow queue, or is of an ordered endpoint, waits where it is; to put it off would lead nowhere. */
const mayLeave = ({ chunk }: Task) =>
  chunk.queue !== QUEUES.deliverSlow.name && chunk.queue !== QUEUES.deliverSuspect.name && !chunk.run;

/** Nothing of an ordered endpoint is held here while its head hangs. */
const isBehind = ({ chunk }: Task, lane: LaneState) =>
  chunk.run !== undefined && lane.isHanging && lane.inFlight > 0;

/** Behind requests that hang nothing waits; where there is merely much to do, only as much as is next. */
const hasToLeave = (lane: LaneState, position: number) =>
  lane.isHanging || (lane.isCrowded && position >= lane.cap);

function abandoned({ item, startedAt }: Flight<Task>): Try {
  const totalMs = performance.now() - startedAt;
  const began = new Date(Date.now() - totalMs);
  return {
    due: item.due,
    startedAt: began,
    url: item.target.url,
    retryPolicy: item.target.retryPolicy,
    sent: null,
    result: noAnswer("worker_lost", totalMs),
  };
}
