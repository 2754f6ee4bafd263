import type { PgBoss } from "pg-boss";
import type { Role, Scope } from "#contracts/scopes.ts";
import type { Db, TransactionOptions, Tx } from "#db/client.ts";
import { withTransaction } from "#db/client.ts";
import type { Keyring } from "./crypto/keyring.ts";
import type { AddressPolicy } from "./domain/address-policy.ts";
import type { TraceContext } from "./domain/trace-context.ts";
import type { FeedWatch } from "./events/feed-watch.ts";
import type { PublishLanes } from "./events/publish-lanes.ts";
import type { KeyReader } from "./keys/key-reader.ts";
import type { KeyUsage } from "./keys/key-usage.ts";
import type { RateLimits } from "./limits/rate-limiter.ts";
import type { Logger } from "./log/logger.ts";
import type { PublishTally } from "./metrics/publish-metrics.ts";
import type { WakeWorkers } from "./queue/wake-workers.ts";
import type { Tracer } from "./tracing/tracer.ts";

/** What a process has to work with, made once by its composition root. */
export interface Services {
  db: Db;
  boss: PgBoss;
  keyring: Keyring;
  addressPolicy: AddressPolicy;
  log: Logger;
  keyReader: KeyReader;
  /** Notes when keys and links to the portal were last used. */
  keyUsage: KeyUsage;
  /** Commits together what is published at the same time. */
  publishLanes: PublishLanes;
  /** Wakes readers of the feed that wait. */
  feedWatch: FeedWatch;
  rateLimits: RateLimits;
  /** Counts what is published. */
  publishTally: PublishTally;
  tracer: Tracer;
  now(): Date;
  /** Tells the delivery workers that there is fresh work; called after the commit. */
  wakeWorkers: WakeWorkers;
  /** Tells pages that something of a tenant has changed; called after the commit. */
  noteChange(tenantId: string): void;
}

/** Who calls: an API key of one tenant, the bearer of a link to its portal, or a member of staff who has named the tenant. */
export type Actor =
  | { kind: "key"; keyId: string; principalId: string; scopes: ReadonlySet<Scope> }
  | { kind: "portal"; linkId: string; principalId: string; scopes: ReadonlySet<Scope> }
  | {
      kind: "staff";
      userId: string;
      email: string;
      role: Role;
      sessionId: string;
      confirmedAt: Date;
      principalId: string;
      scopes: ReadonlySet<Scope>;
    };

/** One call by one actor on one tenant. */
export interface Ctx extends Services {
  tenantId: string;
  actor: Actor;
  requestId: string;
  /** The trace that the caller says its request is part of. */
  caller?: TraceContext | undefined;
  /** Origin and API prefix for absolute and relative links: `https://host`, `/api/v1`. */
  origin: string;
  prefix: string;
  /** Whether this is part of an idempotent request, which has one transaction for all it does. */
  idempotent: boolean;
  /** Runs `work` in one transaction; in the one of the idempotent request when there is one. */
  transaction<T>(work: (tx: Tx) => Promise<T>, options?: TransactionOptions): Promise<T>;
  /** Runs `hook` once what was done so far is committed: at once, or with the idempotent request. */
  afterCommit(hook: () => void): void;
}

/** A context whose every transaction is its own. */
export function newContext(
  services: Services,
  call: Omit<Ctx, keyof Services | "transaction" | "afterCommit" | "idempotent">,
): Ctx {
  return {
    ...services,
    ...call,
    idempotent: false,
    transaction: (work, options) => withTransaction(services.db, work, options),
    afterCommit: (hook) => hook(),
  };
}
