import { randomInt } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { Db } from "#db/client.ts";
import { renumberClaims, WORKER_LOCK_CLASS } from "#db/queries/claims.ts";
import { openSession, type Session } from "#db/session.ts";
import type { Logger } from "#server/log/logger.ts";
import { ENDPOINT_CHANNEL, WAKE_CHANNEL } from "#server/runtime/wake.ts";
import { DatabaseClock } from "./database-clock.ts";
import type { WorkerDeps } from "./types.ts";

export interface LeaseDeps extends Pick<WorkerDeps, "clock" | "observer"> {
  db: Db;
  databaseUrl: string;
  log: Logger;
  /** `only` is what the notification carried. */
  onWake(only?: string): void;
  /** An endpoint has become another: what is known of it is old. */
  onEndpoint(endpointId: string): void;
  /** Settles when no jobs are being taken; asked while none may be begun to be taken. */
  quiet(): Promise<void>;
  /** The jobs that this worker knows it holds. */
  heldJobs(): readonly string[];
  /** The lease was taken anew, and these jobs are all that is still held under it. */
  onRenewed(jobIds: ReadonlySet<string>): void;
}

const AGAIN_AFTER_MS = 200;
const BEAT_MS = 2_000;

/**
 * The sign of life of a worker: a session that holds the advisory lock of the worker's number and hears wake-ups.
 * PostgreSQL frees the lock the moment the process or its machine goes, so nobody waits for a heartbeat to run out.
 * When the session is cut, the worker takes a new number and moves to it the claims on the jobs that it knows of. What
 * is left under the old number belongs to nobody who lives, and is found like what a dead worker leaves.
 */
export class Lease {
  /** Set by the database's at every sign of life. */
  readonly clock: DatabaseClock;
  readonly #deps: LeaseDeps;
  #session: Session | undefined;
  #number = 0;
  /** Numbers under which claims on our jobs may still be. */
  #former: number[] = [];
  #isRenewing = false;
  #taking: Promise<void> | undefined;
  #lostAt = Number.NEGATIVE_INFINITY;
  #beat: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(deps: LeaseDeps) {
    this.#deps = deps;
    this.clock = deps.clock ?? new DatabaseClock();
  }

  /** The number that claims are made under. */
  get number(): number {
    return this.#number;
  }

  /** Whether the lock is held right now. Nothing may be sent without it. */
  get isHeld(): boolean {
    return this.#session !== undefined;
  }

  /** Whether the number stays as it is. Nothing new may be claimed otherwise. */
  get isSteady(): boolean {
    return this.isHeld && !this.#isRenewing;
  }

  /** When the lease was last lost, on the clock of `performance.now()`. */
  get lostAt(): number {
    return this.#lostAt;
  }

  /** Takes a number and its lock. Rejects when the database cannot be reached. */
  take(): Promise<void> {
    this.#taking ??= this.#take().finally(() => {
      this.#taking = undefined;
    });
    return this.#taking;
  }

  /**
   * Takes a new number although the old one is still held, to leave behind claims that this worker may have made
   * without knowing.
   */
  async renew(): Promise<void> {
    const former = this.#session;
    if (!former || this.#isRenewing || this.#stopped) return;
    this.#isRenewing = true;
    try {
      await this.take();
    } catch (error) {
      this.#deps.log.warn({ err: error, worker: this.#number }, "lease could not be renewed");
    } finally {
      this.#isRenewing = false;
      // When it is still the present one, its end has it taken until that succeeds.
      await former.close().catch(() => {});
    }
  }

  async release(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#beat);
    await this.#session?.close().catch(() => {});
    this.#session = undefined;
  }

  async #take(): Promise<void> {
    const session = await openSession(this.#deps.databaseUrl, "lease");
    const number = randomInt(1, 2 ** 31 - 1);
    try {
      await session.query("select pg_advisory_lock($1, $2)", [WORKER_LOCK_CLASS, number]);
      await this.#setClock(session);
      await session.listen(WAKE_CHANNEL, this.#deps.onWake);
      await session.listen(ENDPOINT_CHANNEL, this.#deps.onEndpoint);
      if (this.#former.length > 0) await this.#bringClaims(number);
      if (this.#stopped) throw new Error("the lease was released while it was being taken");
    } catch (error) {
      // The claims may have come under the new number although nobody answered.
      this.#former.push(number);
      await session.close().catch(() => {});
      throw error;
    }
    this.#number = number;
    this.#former = [number];
    this.#session = session;
    void session.ended.then(() => this.#lost(session));
    this.#watch(session);
  }

  async #bringClaims(number: number): Promise<void> {
    const { db, quiet, heldJobs, onRenewed } = this.#deps;
    await quiet();
    onRenewed(new Set(await renumberClaims(db, { jobIds: heldJobs(), from: this.#former, to: number })));
  }

  /** A server that vanished says nothing: it is asked every two seconds, and a question without answer ends the session. */
  #watch(session: Session): void {
    clearTimeout(this.#beat);
    this.#beat = setTimeout(async () => {
      await this.#setClock(session).catch(() => {});
      if (this.#session === session) this.#watch(session);
    }, BEAT_MS);
  }

  async #setClock(session: Session): Promise<void> {
    const { log, observer } = this.#deps;
    await this.clock.ask(async () => {
      const [row] = await session.query("select extract(epoch from clock_timestamp()) * 1000 as now");
      return Number(row?.now);
    }, log);
    observer?.skewed(this.clock.skewMs);
  }

  async #lost(session: Session): Promise<void> {
    if (this.#session !== session) return;
    this.#session = undefined;
    this.#lostAt = performance.now();
    while (!this.#stopped && !this.#session) {
      this.#deps.log.warn({ worker: this.#number }, "lease session lost, taking a new one");
      await this.take().catch(() => delay(AGAIN_AFTER_MS));
    }
    this.#deps.onWake();
  }
}
