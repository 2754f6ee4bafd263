import { setTimeout as delay } from "node:timers/promises";
import type { Db } from "#db/client.ts";
import { newRootKey } from "#server/crypto/keyring.ts";
import { migrateDatabase } from "#server/runtime/migrate.ts";
import { Child } from "./child.ts";
import { cpuMs } from "./cpu.ts";
import type { Ground } from "./ground.ts";
import { openReceiver, type Receiver } from "./receivers.ts";
import { openShop, publishBacklog } from "./shop.ts";

export interface DrainSize {
  deliveries: number;
  bodyBytes: number;
  /** Processes that share the work; 1 by default. */
  workers?: number;
}

export interface Emptied {
  perSecond: number;
  /** Microseconds of CPU for each delivery; NaN where it cannot be told. */
  workerMicros: number;
  postgresMicros: number;
}

export interface Drain extends Emptied {
  receiver: Receiver["kind"];
  barePerSecond: number;
  /** Of deliveries to the bare limit, both measured within the same minute. */
  ratio: number;
}

const ENDPOINTS = 20;
/** Sent before the clock starts, by who measures the limit and by the workers alike: both begin with warm code. */
const WARM_UP = 5_000;

/**
 * Measures the bare limit, then how fast worker processes empty a backlog: up to the commit of the last delivery, each
 * with a durable attempt. Receiver, limit and workers are processes of their own.
 */
export async function measureDrain(ground: Ground, size: DrainSize): Promise<Drain> {
  const receiver = await openReceiver();
  try {
    const barePerSecond = await measureBare(receiver.origin, size);
    const emptied = await emptyBacklog(ground, receiver.origin, size);
    return { ...emptied, receiver: receiver.kind, barePerSecond, ratio: emptied.perSecond / barePerSecond };
  } finally {
    await receiver.stop();
  }
}

/** How many bodies per second one process signs and posts when there is nothing else to do. */
export async function measureBare(
  origin: string,
  { deliveries, bodyBytes }: Pick<DrainSize, "deliveries" | "bodyBytes">,
): Promise<number> {
  const bare = new Child("bench/bare.ts");
  await bare.ask({ origin, total: WARM_UP, bodyBytes });
  const { rate } = await bare.ask<{ rate: number }>({ origin, total: deliveries, bodyBytes });
  await bare.stop();
  return rate;
}

/** How fast workers send to `origin` what waits in a fresh database. */
export async function emptyBacklog(
  ground: Ground,
  origin: string,
  { deliveries, bodyBytes, workers: count = 1 }: DrainSize,
): Promise<Emptied> {
  const database = await ground.createDatabase();
  const encryptionKeys = newRootKey("k1");
  const workers: Child[] = [];
  try {
    await migrateDatabase(database.url);
    const shop = await openShop(database.url, { encryptionKeys, origin, endpoints: ENDPOINTS });
    try {
      await publishBacklog(shop, { deliveries: deliveries + WARM_UP, bodyBytes });
      for (let i = 0; i < count; i++) workers.push(startWorker(database.url, encryptionKeys));
      await Promise.all(workers.map((worker) => worker.said()));
      const pids = workers.map(({ pid }) => pid);
      const usage = () => ({ workers: cpuMs(...pids), postgres: cpuMs(ground.postmasterPid) });

      const began = await whenOpen(shop.db, deliveries);
      const before = usage();
      const ended = await whenOpen(shop.db, 0);
      const after = usage();

      const sent = began.open;
      return {
        perSecond: sent / ((ended.at - began.at) / 1000),
        workerMicros: ((after.workers - before.workers) * 1000) / sent,
        postgresMicros: ((after.postgres - before.postgres) * 1000) / sent,
      };
    } finally {
      await shop.close();
    }
  } finally {
    await Promise.all(workers.map((worker) => worker.stop()));
    await database.drop();
  }
}

const startWorker = (url: string, encryptionKeys: string) =>
  new Child("workers/main.ts", {
    DATABASE_URL: url,
    ENCRYPTION_KEYS: encryptionKeys,
    ALLOW_PRIVATE_TARGETS: "127.0.0.0/8",
    LOG_LEVEL: "error",
  });

/**
 * The first moment at which no more than `most` deliveries were open. Looks the more rarely the longer it will take:
 * counting costs the database something too.
 */
async function whenOpen(db: Db, most: number): Promise<{ at: number; open: number }> {
  let last: { at: number; open: number } | undefined;
  for (;;) {
    const at = performance.now();
    const [row] = await db.query<{ open: number }>(
      "select count(*)::int as open from deliveries where status <> 'delivered'",
    );
    const open = row?.open ?? 0;
    if (open <= most) return { at, open };
    const perMs = last && last.open > open ? (last.open - open) / (at - last.at) : undefined;
    last = { at, open };
    await delay(perMs ? Math.min(5_000, Math.max(10, (0.6 * (open - most)) / perMs)) : 50);
  }
}
