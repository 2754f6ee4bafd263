import type { PgBoss } from "pg-boss";
import type { Db } from "#db/client.ts";
import type { DueDelivery } from "#db/queries/list-due.ts";
import type { Keyring } from "#server/crypto/keyring.ts";
import type { Logger } from "#server/log/logger.ts";
import type { DeliveryQueue } from "#server/queue/queues.ts";
import type { Tracer } from "#server/tracing/tracer.ts";
import type { DatabaseClock } from "./database-clock.ts";
import type { EngineObserver } from "./observer.ts";
import type { Run } from "./ordered-run.ts";
import type { Sender } from "./sender.ts";
import type { Target } from "./targets.ts";

/** A job that this worker holds. It is done when no delivery of it is open. */
export interface Chunk {
  readonly id: string;
  readonly retryCount: number;
  readonly queue: DeliveryQueue;
  /** On the clock of `performance.now()`, from before it was taken. */
  readonly claimedAt: number;
  open: number;
  /** Somebody else has it by now: what has not been sent must not be. */
  isLost: boolean;
  /** A person has asked for it, and wants to know what comes of it now. */
  readonly isAsked?: true;
  /** It is of an ordered endpoint: one delivery after the other, and what is not sent stays in the endpoint's queue. */
  run?: Run;
}

/** One delivery on its way through the worker. */
export interface Task {
  readonly due: DueDelivery;
  readonly target: Target;
  readonly chunk: Chunk;
  /** It is sent to see whether its endpoint, which failed again and again, is back. */
  readonly isProbe?: true;
}

export interface WorkerDeps {
  db: Db;
  /** For the session that holds the worker's lease. */
  databaseUrl: string;
  boss: PgBoss;
  keyring: Keyring;
  log: Logger;
  sender: Sender;
  /** Of Posthorn, for the user agent. */
  version: string;
  /** Multiplies every retry delay. */
  retryScale: number;
  /** Is told what the worker does. */
  observer?: EngineObserver;
  /** Told of tenants whose deliveries have changed, once that is committed. */
  noteChange?: (tenantId: string) => void;
  /** Of the times that others rely on; a worker has one of its own. */
  clock?: DatabaseClock;
  /** Gets a span for each try; default: nobody does. */
  tracer?: Tracer;
}
