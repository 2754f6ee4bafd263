import { randomInt } from "node:crypto";
import type { Db } from "#db/client.ts";
import { renumberClaims, WORKER_LOCK_CLASS } from "#db/queries/claims.ts";
import { openSession, type Session } from "#db/session.ts";
import type { Logger } from "#server/log/logger.ts";
import { WAKE_CHANNEL } from "#server/runtime/wake.ts";

export interface LeaseDeps {
  db: Db;
  databaseUrl: string;
  log: Logger;
  onWake(): void;
}

const AGAIN_AFTER_MS = 200;

/**
 * The sign of life of a worker: a session that holds the advisory lock of the worker's number and hears wake-ups.
 * PostgreSQL frees the lock the moment the process or its machine goes, so nobody waits for a heartbeat to run out.
 * When the session is cut, the worker takes a new number and moves its claims to it.
 */
export class Lease {
  readonly #deps: LeaseDeps;
  #session: Session | undefined;
  #number = 0;
  #stopped = false;

  constructor(deps: LeaseDeps) {
    this.#deps = deps;
  }

  /** The number that claims are made under. */
  get number(): number {
    return this.#number;
  }

  /** Whether the lock is held right now. Nothing new may be claimed without it. */
  get held(): boolean {
    return this.#session !== undefined;
  }

  /** Takes a number and its lock. Rejects when the database cannot be reached. */
  async take(): Promise<void> {
    const session = await openSession(this.#deps.databaseUrl, "lease");
    const number = randomInt(1, 2 ** 31 - 1);
    try {
      await session.query("select pg_advisory_lock($1, $2)", [WORKER_LOCK_CLASS, number]);
      await session.listen(WAKE_CHANNEL, this.#deps.onWake);
      if (this.#number !== 0) await renumberClaims(this.#deps.db, this.#number, number);
    } catch (error) {
      await session.close().catch(() => {});
      throw error;
    }
    this.#number = number;
    this.#session = session;
    void session.ended.then(() => this.#lost(session));
  }

  async release(): Promise<void> {
    this.#stopped = true;
    await this.#session?.close().catch(() => {});
    this.#session = undefined;
  }

  async #lost(session: Session): Promise<void> {
    if (this.#session === session) this.#session = undefined;
    while (!this.#stopped && !this.#session) {
      this.#deps.log.warn({ worker: this.#number }, "lease session lost, taking a new one");
      await this.take().catch(() => new Promise((resolve) => setTimeout(resolve, AGAIN_AFTER_MS)));
    }
    this.#deps.onWake();
  }
}
