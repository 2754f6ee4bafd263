import { connect } from "#db/client.ts";
import type { Services } from "../context.ts";
import { createKeyring, type RootKey } from "../crypto/keyring.ts";
import { addressPolicy } from "../domain/address-policy.ts";
import { FeedWatch } from "../events/feed-watch.ts";
import { PublishLanes } from "../events/publish-lanes.ts";
import { KeyReader } from "../keys/key-reader.ts";
import { KeyUsage } from "../keys/key-usage.ts";
import { RateLimiter } from "../limits/rate-limiter.ts";
import { ChangeTeller } from "../live/change-teller.ts";
import { createLogger } from "../log/logger.ts";
import { PublishTally } from "../metrics/publish-metrics.ts";
import { openQueue } from "../queue/boss.ts";
import { OtlpTracer, type TracingSettings } from "../tracing/otlp-tracer.ts";
import { NO_TRACER } from "../tracing/tracer.ts";
import { ownAddresses } from "./own-addresses.ts";
import { VERSION } from "./version.ts";
import { createWaker } from "./wake.ts";

export interface ServiceOptions {
  /** A worker joins by index and supervises the queue; the web process only sends. */
  role: "web" | "worker";
  /** Of the process, in logs and in pg_stat_activity. */
  name: string;
  databaseUrl: string;
  rootKeys: readonly RootKey[];
  /** CIDR ranges that webhooks may reach although they are not public. */
  allowPrivateTargets: readonly string[];
  /** CIDR ranges that webhooks may not reach although they are public; the addresses of this machine never may. */
  refuseTargets?: readonly string[];
  logLevel: string;
  /** Where spans are told; nowhere by default. */
  tracing?: TracingSettings | undefined;
  /** Requests of a key and events of a tenant per second; 0 for no limit, which is the default. */
  rateLimits?: { requests: number; events: number };
  maxConnections?: number;
}

/** The services of a process. Fails when the database cannot be reached or is not migrated. */
export async function openServices(
  options: ServiceOptions,
): Promise<{ services: Services; close(): Promise<void> }> {
  const log = createLogger({ name: options.name, level: options.logLevel });
  const db = connect(options.databaseUrl, {
    name: options.name,
    maxConnections: options.maxConnections ?? 20,
    joinByIndex: options.role === "worker",
    onError: (error) => log.warn({ err: error }, "an idle database connection was cut"),
  });
  const boss = openQueue(db, {
    supervise: options.role === "worker",
    onError: (error) => log.warn({ err: error }, "the queue reports an error"),
  });
  const rateLimits = { requests: 0, events: 0, ...options.rateLimits, limiter: new RateLimiter({ db, log }) };
  const keyUsage = new KeyUsage({ db, log });
  const changes = new ChangeTeller(db);
  const tracer = options.tracing ? new OtlpTracer({ ...options.tracing, version: VERSION, log }) : NO_TRACER;
  const close = async () => {
    changes.close();
    await Promise.all([rateLimits.limiter.close(), keyUsage.write(), tracer.close()]);
    await boss.stop({ graceful: false });
    await db.close();
  };
  try {
    await boss.start();
  } catch (error) {
    await db.close();
    throw error;
  }
  const services: Services = {
    db,
    boss,
    keyring: createKeyring(options.rootKeys),
    addressPolicy: addressPolicy({
      allow: options.allowPrivateTargets,
      refuse: [...(options.refuseTargets ?? []), ...ownAddresses()],
    }),
    log,
    keyReader: new KeyReader(db),
    keyUsage,
    publishLanes: new PublishLanes(),
    feedWatch: new FeedWatch(db),
    rateLimits,
    publishTally: new PublishTally(),
    tracer,
    now: () => new Date(),
    wakeWorkers: createWaker(db),
    noteChange: (tenantId) => changes.note(tenantId),
  };
  return { services, close };
}
