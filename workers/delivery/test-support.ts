import { randomBytes } from "node:crypto";
import type { PgBoss } from "pg-boss";
import { uuidv7 } from "uuidv7";
import { expect, onTestFinished } from "vitest";
import { connect, type Db, withTransaction } from "#db/client.ts";
import { insertEndpointSecret } from "#db/queries/endpoint-secrets.ts";
import { insertEndpoint } from "#db/queries/endpoints.ts";
import { type DueDelivery, listDue } from "#db/queries/list-due.ts";
import type { SettleRow } from "#db/queries/settle.ts";
import { secretIdentity } from "#server/crypto/identities.ts";
import { createKeyring, newRootKey, parseRootKeys } from "#server/crypto/keyring.ts";
import { addressPolicy } from "#server/domain/address-policy.ts";
import { newSecret } from "#server/domain/signing.ts";
import { storeEvents } from "#server/events/store-events.ts";
import { createLogger, type Logger } from "#server/log/logger.ts";
import { openQueue } from "#server/queue/boss.ts";
import { createWaker } from "#server/runtime/wake.ts";
import { createTenant } from "#server/tenants/create-tenant.ts";
import { createTestDatabase } from "#tests/database.ts";
import { eventually } from "#tests/eventually.ts";
import { claimJobs, namedBy } from "./claim-jobs.ts";
import { createSender } from "./sender.ts";
import { noAnswer, settlementOf } from "./settlement.ts";
import type { Chunk, WorkerDeps } from "./types.ts";
import { DeliveryWorker } from "./worker.ts";

export interface TestEndpoint {
  id: string;
  secret: string;
}

export interface EndpointOptions {
  url: string;
  eventTypes?: string[];
  timeoutMs?: number;
  maxInFlight?: number;
  signatureFormat?: string;
  ordered?: boolean;
  rateLimit?: number;
}

export interface DeliveryState extends Record<string, unknown> {
  id: string;
  endpointId: string;
  status: string;
  attempts: number;
  jobId: string;
  nextAttemptAt: Date | null;
  failureClass: string | null;
  failureReason: string | null;
}

export interface LoggedAttempt extends Record<string, unknown> {
  deliveryId: string;
  number: number;
  trigger: string;
  outcome: string;
  errorCode: string | null;
  responseStatus: number | null;
  startedAt: Date;
  nextAttemptAt: Date | null;
  worker: number;
}

/** A database with one tenant, and what it takes to publish to it and to run workers on it. */
export interface TestEngine {
  url: string;
  db: Db;
  boss: PgBoss;
  log: Logger;
  encryptionKeys: string;
  tenantId: string;
  addEndpoint(options: EndpointOptions): Promise<TestEndpoint>;
  /** Stores events of a type in transactions of at most 500, without waking anybody. */
  publish(type: string, count?: number, data?: string): Promise<void>;
  /** Tells the workers. */
  wake(): void;
  deliveries(): Promise<DeliveryState[]>;
  /** How many deliveries there are of each status; those in flight are pending. */
  statuses(): Promise<Record<string, number>>;
  attempts(): Promise<LoggedAttempt[]>;
  /** Claims and jobs of deliveries that there are. */
  leftovers(): Promise<{ claims: number; jobs: number }>;
  /** What a worker of this process needs; its retry delays are a thousandth. */
  workerDeps(over?: Partial<WorkerDeps>): WorkerDeps;
  /** Runs a worker until the test ends. */
  startWorker(over?: Partial<WorkerDeps>): Promise<DeliveryWorker>;
  /** Removes deliveries with their attempts, claims and all jobs. */
  clear(): Promise<void>;
  close(): Promise<void>;
}

/** `encryptionKeys`: those of another engine on the same database, for a second tenant. */
export async function openEngine(url: string, encryptionKeys = newRootKey("k1")): Promise<TestEngine> {
  const db = connect(url, { name: "engine-test", maxConnections: 20, joinByIndex: true });
  const log = createLogger({ name: "test", level: "silent" });
  const boss = openQueue(db, { supervise: true, onError: () => {} });
  await boss.start();
  const keyring = createKeyring(parseRootKeys(encryptionKeys));
  const { id: tenantId } = await withTransaction(db, (tx) =>
    createTenant(tx, { name: "Test", now: new Date() }),
  );

  const workerDeps = (over: Partial<WorkerDeps> = {}): WorkerDeps => {
    const sender = over.sender ?? createSender({ policy: addressPolicy({ allow: ["127.0.0.0/8"] }) });
    return { db, databaseUrl: url, boss, keyring, log, version: "test", retryScale: 0.001, ...over, sender };
  };

  return {
    ...{ url, db, boss, log, encryptionKeys, tenantId, workerDeps },
    wake: createWaker(db),
    async addEndpoint(options) {
      const [id, secret, createdAt] = [uuidv7(), newSecret(randomBytes), new Date()];
      const sealed = keyring.seal(secret, secretIdentity(tenantId, id, "v1"));
      await withTransaction(db, async (tx) => {
        await insertEndpoint(tx, tenantId, { ...ENDPOINT, ...options, id, createdAt });
        await insertEndpointSecret(tx, { tenantId, endpointId: id, kid: "v1", sealed, createdAt });
      });
      return { id, secret };
    },
    async publish(type, count = 1, data = '{"n":1}') {
      const deps = { boss, now: () => new Date(), wakeWorkers() {} };
      for (let left = count; left > 0; left -= 500) {
        const events = Array.from({ length: Math.min(500, left) }, () => ({ type, data }));
        await withTransaction(db, (tx) => storeEvents(tx, deps, tenantId, events));
      }
    },
    deliveries: () =>
      db.query(`select id, endpoint_id as "endpointId", status, attempts, job_id as "jobId",
                       next_attempt_at as "nextAttemptAt", failure_class as "failureClass",
                       failure_reason as "failureReason" from deliveries order by id`),
    async statuses() {
      const rows = await db.query<{ status: string; count: number }>(
        "select status, count(*)::int as count from deliveries group by status",
      );
      return Object.fromEntries(rows.map(({ status, count }) => [status, count]));
    },
    attempts: () =>
      db.query(`select delivery_id as "deliveryId", number, trigger, outcome, error_code as "errorCode",
                       response_status as "responseStatus", started_at as "startedAt",
                       next_attempt_at as "nextAttemptAt", worker from attempts order by delivery_id, number`),
    async leftovers() {
      const [row] = await db.query<{ claims: number; jobs: number }>(
        `select (select count(*)::int from claims) as claims,
                (select count(*)::int from pgboss.job where name like 'deliver%') as jobs`,
      );
      return row ?? { claims: -1, jobs: -1 };
    },
    async startWorker(over) {
      const worker = new DeliveryWorker(workerDeps(over));
      await worker.start();
      onTestFinished(() => worker.stop());
      return worker;
    },
    async clear() {
      await db.query("truncate deliveries, undelivered, attempts, claims; delete from pgboss.job");
    },
    async close() {
      await boss.stop({ graceful: false });
      await db.close();
    },
  };
}

/** An engine with one endpoint for every type, in a database of its own that is removed when it is closed. */
export async function openEngineAlone(): Promise<TestEngine> {
  const database = await createTestDatabase();
  try {
    const engine = await openEngine(database.url);
    await engine.addEndpoint({ url: "https://example.com" });
    const close = () => engine.close().finally(() => database.drop());
    return { ...engine, close };
  } catch (error) {
    await database.drop();
    throw error;
  }
}

const ENDPOINT = {
  description: null,
  eventTypes: ["*"],
  signatureFormat: "hex",
  timeoutMs: 5_000,
  maxInFlight: 10,
};

/** Every try is in the log, in order and without gaps; a delivery has as many tries as it counts. */
export async function expectWholeLog(engine: TestEngine): Promise<void> {
  const tries = Map.groupBy(await engine.attempts(), (attempt) => attempt.deliveryId);
  for (const { id, attempts } of await engine.deliveries()) {
    const numbers = Array.from({ length: attempts }, (_, i) => i + 1);
    expect(tries.get(id)?.map(({ number }) => number) ?? []).toEqual(numbers);
  }
}

/** Every job that there was is done, and nobody holds any. */
export async function expectNothingLeft(engine: TestEngine): Promise<void> {
  await eventually(async () => expect(await engine.leftovers()).toEqual({ claims: 0, jobs: 0 }));
}

/** A delivery as a worker has it, and the job it came with. */
export async function claimOne(engine: TestEngine, worker = 1): Promise<{ due: DueDelivery; chunk: Chunk }> {
  const claim = { db: engine.db, boss: engine.boss, worker: () => worker, onLost() {} };
  const [job] = await claimJobs(claim, { queue: "deliver", limit: 1 });
  if (!job) throw new Error("no job is due");
  const [due] = await listDue(engine.db, namedBy([job]));
  if (!due) throw new Error("the job has nothing to do");
  const { id, retryCount } = job;
  const open = job.deliveryIds.length;
  return {
    due,
    chunk: { id, retryCount, queue: "deliver", claimedAt: performance.now(), open, isLost: false },
  };
}

/** The result of a try of a delivery, as a worker would have it. */
export function resultOf({ due }: Awaited<ReturnType<typeof claimOne>>, status: number): SettleRow {
  const draw = { now: new Date(), random: 0.5, newId: uuidv7, retryScale: 1 };
  const result = { ...noAnswer("internal", 5), result: { kind: "response" as const, status }, status };
  return settlementOf(
    { due, startedAt: new Date(), url: "https://example.com", retryPolicy: null, sent: null, result },
    draw,
  );
}
