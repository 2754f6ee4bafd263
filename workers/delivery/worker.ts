import { setTimeout as delay } from "node:timers/promises";
import { RateLimiter } from "#server/limits/rate-limiter.ts";
import { type DeliveryQueue, MAX_CHUNK, QUEUES } from "#server/queue/queues.ts";
import { FRESH_ONLY, onCommit } from "#server/queue/wake-workers.ts";
import { Aftermath } from "./aftermath.ts";
import { type LogAttempts, logAttempts } from "./attempt-log.ts";
import { Breakers } from "./breakers.ts";
import { Dispatcher, TICK_MS } from "./dispatcher.ts";
import { crowdingTenants, FairPass, heldByTenant } from "./fair-pass.ts";
import { FOLLOW_MS, followBreakers } from "./follow-breakers.ts";
import { HeldChunks } from "./held-chunks.ts";
import { Intake } from "./intake.ts";
import { Lease } from "./lease.ts";
import type { InHand } from "./observer.ts";
import { OrderedRuns } from "./ordered-runs.ts";
import { Poller, type RunEnd } from "./poller.ts";
import { MAX_BYTES_HELD, MAX_HELD, POLL_MS } from "./queue-shares.ts";
import { Room } from "./room.ts";
import { Settler, type Written } from "./settler.ts";
import { Sweeper } from "./sweeper.ts";
import { Targets } from "./targets.ts";
import type { WorkerDeps } from "./types.ts";

const FRESH = QUEUES.deliver.name;
const SLOW = QUEUES.deliverSlow.name;
const RETRY = QUEUES.deliverRetry.name;
const SUSPECT = QUEUES.deliverSuspect.name;
const ORDERED = QUEUES.deliverOrdered.name;
const SLOW_JOBS_PER_FETCH = 8;
const SWEEP_MS = 100;
/** Others whose sessions were cut at the same time need as long to come back. */
const SWEEP_AFTER_LOSS_MS = 3_000;
const STOP_POLLING_MS = 1_000;
const DRAIN_MS = 5_000;
const WRITE_MS = 2_000;

/** Takes delivery jobs, sends what they name and settles the results, until it is stopped. */
export class DeliveryWorker {
  readonly #deps: WorkerDeps;
  readonly #held = new HeldChunks();
  readonly #lease: Lease;
  readonly #breakers: Breakers;
  readonly #aftermath: Aftermath;
  readonly #settler: Settler;
  readonly #limiter: RateLimiter;
  readonly #dispatcher: Dispatcher;
  readonly #intake: Intake;
  readonly #runs: OrderedRuns;
  readonly #room: Room;
  readonly #sweeper: Sweeper;
  readonly #queues = new Map<DeliveryQueue, Poller>();
  readonly #pass = new FairPass((request) => this.#intake.take({ queue: FRESH, ...request }));
  readonly #passing: Poller;
  readonly #others: Poller[];
  readonly #logAttempts: LogAttempts;
  #isStopping = false;

  constructor(deps: WorkerDeps) {
    this.#deps = deps;
    const { db, boss, log, observer } = deps;
    this.#logAttempts = logAttempts(log);
    const worker = () => this.#lease.number;
    this.#lease = new Lease({
      ...deps,
      onWake: (only) => this.wake(only),
      onEndpoint: (endpointId) => this.#dispatcher.putBack(endpointId),
      quiet: () => this.#intake.quiet(),
      heldJobs: () => this.#held.ids,
      onRenewed: (jobIds) => this.#keep(jobIds),
    });
    const onWritten = (written: Written) => this.#written(written);
    const breakers = new Breakers(deps);
    this.#breakers = breakers;
    const onBegun = () => this.#queues.get(SLOW)?.kick();
    const wakeWorkers = onCommit((only) => this.wake(only));
    this.#aftermath = new Aftermath({ ...deps, now: () => new Date(), wakeWorkers, breakers, onBegun });
    this.#settler = new Settler({ db, boss, log, worker, observer, aftermath: this.#aftermath, onWritten });
    this.#limiter = new RateLimiter({ db, log });
    this.#dispatcher = new Dispatcher({
      ...{ ...deps, clock: this.#lease.clock },
      limiter: this.#limiter,
      breakers,
      settler: this.#settler,
      maySend: () => this.#lease.isHeld && !this.#isStopping,
      onRoom: (queue) => this.#haveRoom(queue),
      onMoved: (queue, deliveries) => this.#moved(queue, deliveries),
    });
    this.#runs = new OrderedRuns({
      ...{ db, boss, log, worker },
      onLost: (tries) => this.#lost(tries),
      onReady: (at) => this.#queues.get(ORDERED)?.kickAt(at),
      onEnded: (chunk) => this.#held.delete([chunk]),
      isStopping: () => this.#isStopping,
    });
    this.#intake = new Intake({
      claim: { db, boss, worker, onLost: (tries) => this.#lost(tries) },
      observer,
      held: this.#held,
      targets: new Targets(db, deps.keyring),
      settler: this.#settler,
      runs: this.#runs,
      mayClaim: () => this.#lease.isSteady && !this.#isStopping,
      isStopping: () => this.#isStopping,
      admit: (tasks) => {
        for (const { due } of tasks) deps.noteChange?.(due.tenantId);
        return this.#dispatcher.admit(tasks);
      },
      settle: (tried, chunk) => this.#dispatcher.settle(tried, chunk),
      onDoubt: () => void this.#lease.renew(),
      onUnreadable: (err, endpoint) => log.error({ err, endpoint }, "endpoint cannot be read"),
    });
    this.#room = new Room({
      ...{ dispatcher: this.#dispatcher, held: this.#held, intake: this.#intake, settler: this.#settler },
    });
    this.#sweeper = new Sweeper({ db, boss, worker });
    for (const queue of Object.keys(MAX_HELD) as DeliveryQueue[])
      this.#queues.set(queue, new Poller(POLL_MS[queue], () => this.#take(queue), log));
    this.#passing = new Poller(POLL_MS[FRESH], () => this.#takeBehind(), log);
    this.#others = [
      this.#passing,
      new Poller(TICK_MS, () => this.#dispatcher.tick().then(() => "idle"), log),
      new Poller(SWEEP_MS, () => this.#sweep(), log),
      new Poller(FOLLOW_MS, () => followBreakers({ db, breakers, onBegun }, this.#dispatcher), log),
    ];
  }

  get #pollers(): Poller[] {
    return [...this.#queues.values(), ...this.#others];
  }

  /** Begins to work. Rejects when the database cannot be reached. */
  async start(): Promise<void> {
    await this.#lease.take();
    await this.#breakers.refresh();
    for (const poller of this.#pollers) poller.start();
  }

  /** What it has in hand right now. */
  inHand(): InHand {
    const queues = [...this.#queues.keys()];
    return {
      holdsLease: this.#lease.isHeld,
      jobs: this.#held.size,
      deliveries: queues.map((queue) => ({ queue, count: this.#dispatcher.load(queue) })),
      requests: this.#dispatcher.inFlight(),
      lanes: this.#dispatcher.lanes(),
      unwritten: this.#settler.pending,
    };
  }

  /** There may be fresh work; unless it is `FRESH_ONLY`, for ordered endpoints and of replays too. */
  wake(only?: string): void {
    this.#queues.get(FRESH)?.kickWithin(this.#room.gatherMs(FRESH));
    this.#passing.kickWithin(Math.max(1, this.#pass.nextAt - performance.now()));
    if (only === FRESH_ONLY) return;
    for (const queue of [QUEUES.deliverReplay.name, ORDERED]) this.#queues.get(queue)?.kick();
  }

  /**
   * Takes nothing new, gives back what has not begun, lets requests end for up to five seconds and logs those that did
   * not as lost, to be sent again by whoever runs next. Settles within eight seconds, when everything is written or the
   * database has been away all the time.
   */
  async stop(): Promise<void> {
    this.#isStopping = true;
    const stopped = Promise.all(this.#pollers.map((poller) => poller.stop()));
    await Promise.race([stopped, delay(STOP_POLLING_MS)]);
    await this.#dispatcher.stop(performance.now() + DRAIN_MS);
    const unwritten = await this.#settler.drain(performance.now() + WRITE_MS);
    if (unwritten > 0)
      this.#deps.log.error({ results: unwritten }, "stopped with results that could not be written");
    await Promise.race([Promise.all([this.#aftermath.idle(), this.#runs.idle()]), delay(WRITE_MS)]);
    await Promise.race([this.#limiter.close(), delay(WRITE_MS)]);
    await this.#lease.release();
  }

  async #take(queue: DeliveryQueue): Promise<RunEnd> {
    if (queue === SLOW) return this.#takeSlow();
    return this.#room.endOf(queue, await this.#intake.fill(queue, this.#room.for(queue)));
  }

  /** Fresh work that stands behind that of tenants who have enough in hand. */
  async #takeBehind(): Promise<RunEnd> {
    if (this.#room.isChoked || this.#dispatcher.bytes(FRESH) > 2 * MAX_BYTES_HELD) return "full";
    const held = heldByTenant(this.#dispatcher.lanes());
    await this.#pass.run(performance.now(), crowdingTenants(held, MAX_HELD[FRESH]));
    return "idle";
  }

  /** One job per endpoint at a time, over all workers, and none for endpoints that have their fill. */
  async #takeSlow(): Promise<RunEnd> {
    const limit = Math.min(SLOW_JOBS_PER_FETCH, Math.floor(this.#room.for(SLOW) / MAX_CHUNK));
    if (limit <= 0) return "full";
    const ignoreGroups = [...this.#dispatcher.busyEndpoints(), ...this.#breakers.probing(Date.now())];
    const { jobs } = await this.#intake.take({ queue: SLOW, limit, ignoreGroups, onePerGroup: true });
    return jobs > 0 ? "more" : "idle";
  }

  #haveRoom(queue: DeliveryQueue): void {
    if (this.#room.isHalfEmpty(queue)) this.#queues.get(queue)?.resume();
  }

  #moved(queue: DeliveryQueue, deliveries: number): void {
    this.#deps.observer?.moved(queue, deliveries);
    this.#queues.get(queue)?.kick();
  }

  #lost(tries: number): void {
    this.#deps.observer?.lost(tries);
    this.#deps.log.warn({ tries }, "tries lost with their worker");
    // What is suspected has a job of its own by now, and of what has failed there is an event.
    this.#queues.get(SUSPECT)?.kick();
    this.wake();
  }

  #written(written: Written): void {
    const { retriesAt, done, counted } = written;
    this.#deps.observer?.written(written);
    for (const { tenantId } of counted) this.#deps.noteChange?.(tenantId);
    this.#logAttempts(counted);
    this.#held.delete(done.filter((chunk) => !chunk.run));
    for (const chunk of done) if (chunk.run) this.#runs.end(chunk, chunk.run);
    for (const at of retriesAt) this.#queues.get(RETRY)?.kickAt(at);
    // An endpoint whose slow job is done may get its next one.
    if (done.some((chunk) => chunk.queue === SLOW)) this.#queues.get(SLOW)?.kick();
    for (const queue of this.#queues.keys()) this.#haveRoom(queue);
  }

  #keep(jobIds: ReadonlySet<string>): void {
    this.#deps.observer?.renewed();
    this.#deps.log.info({ worker: this.#lease.number }, "lease taken anew");
    const lost = this.#held.keep(jobIds);
    if (lost > 0) this.#deps.log.warn({ jobs: lost }, "jobs have gone to other workers");
    this.#dispatcher.dropLost();
  }

  async #sweep(): Promise<RunEnd> {
    if (!this.#lease.isHeld || performance.now() - this.#lease.lostAt < SWEEP_AFTER_LOSS_MS) return "idle";
    const putBack = await this.#sweeper.sweep();
    const jobs = [...putBack.values()].reduce((sum, count) => sum + count, 0);
    if (jobs === 0) return "idle";
    this.#deps.observer?.swept(jobs);
    this.#deps.log.warn({ jobs }, "jobs of a vanished worker put back");
    for (const poller of this.#queues.values()) poller.kick();
    // What has waited longest does not wait for room.
    for (const queue of [FRESH, RETRY])
      await this.#intake.takeAll(queue, putBack.get(queue) ?? 0, () => this.#room.for(queue, 2));
    return "idle";
  }
}
