import { setTimeout as delay } from "node:timers/promises";
import type { Db } from "#db/client.ts";
import { newRootKey } from "#server/crypto/keyring.ts";
import { migrateDatabase } from "#server/runtime/migrate.ts";
import { Child } from "./child.ts";
import type { Ground } from "./ground.ts";
import { openShop, publishBacklog } from "./shop.ts";

export interface Drain {
  barePerSecond: number;
  deliveriesPerSecond: number;
  /** Of deliveries to the bare limit, both measured within the same minute. */
  ratio: number;
}

const ENDPOINTS = 20;
const WARM_UP = 5_000;

/**
 * Measures the bare limit, then how fast a worker process empties a backlog: from its first delivery to the commit of
 * the last, each with a durable attempt. Receiver, limit and worker are processes of their own.
 */
export async function measureDrain(
  ground: Ground,
  { deliveries, bodyBytes }: { deliveries: number; bodyBytes: number },
): Promise<Drain> {
  const receiver = new Child("bench/receiver.ts");
  const { port } = await receiver.said<{ port: number }>();
  const origin = `http://127.0.0.1:${port}`;
  const database = await ground.createDatabase();
  try {
    const barePerSecond = await measureBare(origin, deliveries, bodyBytes);
    const deliveriesPerSecond = await drain(database.url, origin, { deliveries, bodyBytes });
    return { barePerSecond, deliveriesPerSecond, ratio: deliveriesPerSecond / barePerSecond };
  } finally {
    await receiver.stop();
    await database.drop();
  }
}

/** How many bodies a process signs and posts per second that does nothing else. */
export async function measureBare(origin: string, total: number, bodyBytes: number): Promise<number> {
  const bare = new Child("bench/bare.ts");
  await bare.ask({ origin, total: WARM_UP, bodyBytes });
  const { rate } = await bare.ask<{ rate: number }>({ origin, total, bodyBytes });
  await bare.stop();
  return rate;
}

async function drain(
  url: string,
  origin: string,
  size: { deliveries: number; bodyBytes: number },
): Promise<number> {
  await migrateDatabase(url);
  const encryptionKeys = newRootKey("k1");
  const shop = await openShop(url, { encryptionKeys, origin, endpoints: ENDPOINTS });
  try {
    await publishBacklog(shop, size);
    const worker = new Child("workers/main.ts", {
      DATABASE_URL: url,
      ENCRYPTION_KEYS: encryptionKeys,
      ALLOW_PRIVATE_TARGETS: "127.0.0.0/8",
      LOG_LEVEL: "error",
    });
    try {
      await worker.said();
      const began = await whenOpen(shop.db, (open) => open < size.deliveries);
      const ended = await whenOpen(shop.db, (open) => open === 0);
      return size.deliveries / ((ended - began) / 1000);
    } finally {
      await worker.stop();
    }
  } finally {
    await shop.close();
  }
}

/** The moment from which the number of undelivered deliveries satisfies the condition. */
async function whenOpen(db: Db, holds: (open: number) => boolean): Promise<number> {
  for (;;) {
    const at = performance.now();
    const [row] = await db.query<{ open: number }>(
      "select count(*)::int as open from deliveries where status <> 'delivered'",
    );
    if (holds(row?.open ?? 0)) return at;
    await delay(20);
  }
}
