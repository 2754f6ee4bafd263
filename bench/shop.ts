import { randomBytes } from "node:crypto";
import type { PgBoss } from "pg-boss";
import { uuidv7 } from "uuidv7";
import { connect, type Db, withTransaction } from "#db/client.ts";
import { insertEndpointSecret } from "#db/queries/endpoint-secrets.ts";
import { insertEndpoint } from "#db/queries/endpoints.ts";
import { secretIdentity } from "#server/crypto/identities.ts";
import { createKeyring, parseRootKeys } from "#server/crypto/keyring.ts";
import { newSecret } from "#server/domain/signing.ts";
import { storeEvents } from "#server/events/store-events.ts";
import { openQueue } from "#server/queue/boss.ts";
import { createTenant } from "#server/tenants/create-tenant.ts";

/** One tenant with endpoints, each subscribed to a type of its own: every event makes one delivery. */
export interface Shop {
  db: Db;
  boss: PgBoss;
  tenantId: string;
  endpoints: number;
  close(): Promise<void>;
}

const BATCH = 200;

export async function openShop(
  url: string,
  options: { encryptionKeys: string; origin: string; endpoints: number },
): Promise<Shop> {
  const db = connect(url, { name: "bench" });
  const keyring = createKeyring(parseRootKeys(options.encryptionKeys));
  const now = new Date();
  const tenantId = await withTransaction(db, async (tx) => {
    const tenant = await createTenant(tx, { name: "bench", now });
    for (let i = 0; i < options.endpoints; i++) {
      const id = uuidv7();
      await insertEndpoint(tx, tenant.id, {
        id,
        url: `${options.origin}/${i}`,
        description: null,
        eventTypes: [typeOf(i)],
        signatureFormat: "hex",
        timeoutMs: 15_000,
        maxInFlight: 10,
        createdAt: now,
      });
      const sealed = keyring.seal(newSecret(randomBytes), secretIdentity(tenant.id, id, "v1"));
      await insertEndpointSecret(tx, {
        tenantId: tenant.id,
        endpointId: id,
        kid: "v1",
        sealed,
        createdAt: now,
      });
    }
    return tenant.id;
  });
  const boss = openQueue(db, {
    supervise: false,
    onError: (error) => process.stderr.write(`${error.message}\n`),
  });
  await boss.start();
  const close = async () => {
    await boss.stop({ graceful: false });
    await db.close();
  };
  return { db, boss, tenantId, endpoints: options.endpoints, close };
}

export interface Backlog {
  deliveries: number;
  bodyBytes: number;
  /** Only endpoints from this number on, and before that one; by default all. */
  from?: number;
  before?: number;
  /** Tells the workers, as the product does; a backlog that is there before them needs none. */
  wakeWorkers?: () => void;
}

/** Publishes events round the endpoints. */
export async function publishBacklog(
  { db, boss, tenantId, endpoints }: Shop,
  { deliveries, bodyBytes, from: first = 0, before = endpoints, wakeWorkers = () => {} }: Backlog,
): Promise<void> {
  const deps = { boss, now: () => new Date(), wakeWorkers };
  const data = JSON.stringify({ text: "x".repeat(bodyBytes) });
  for (let from = 0; from < deliveries; from += BATCH) {
    const events = Array.from({ length: Math.min(BATCH, deliveries - from) }, (_, i) => ({
      type: typeOf(first + ((from + i) % (before - first))),
      data,
    }));
    await withTransaction(db, (tx) => storeEvents(tx, deps, tenantId, events));
  }
}

/** What the endpoint of this number is subscribed to. */
export const typeOf = (endpoint: number) => `Bench${endpoint}`;
