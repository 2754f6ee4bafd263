import { execFile } from "node:child_process";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import type { Db } from "#db/client.ts";
import { newRootKey } from "#server/crypto/keyring.ts";
import { migrateDatabase } from "#server/runtime/migrate.ts";
import { Child } from "./child.ts";
import type { Ground } from "./ground.ts";
import { openShop, type Shop } from "./shop.ts";

/** A shop in a database of its own, with the processes that deliver for it. */
export interface Crew {
  shop: Shop;
  /** The workers in which deliveries are made; each is ready when the promise settles. */
  start(workers: number): Promise<Child[]>;
}

const run = promisify(execFile);

/** Runs `work` with a shop whose endpoints are at `origin`; whatever becomes of it, processes and database go. */
export async function withCrew<T>(
  ground: Ground,
  { origin, endpoints }: { origin: string; endpoints: number },
  work: (crew: Crew) => Promise<T>,
): Promise<T> {
  const database = await ground.createDatabase();
  const encryptionKeys = newRootKey("k1");
  const workers: Child[] = [];
  let shop: Shop | undefined;
  const start = async (count: number) => {
    for (let i = 0; i < count; i++)
      workers.push(
        new Child("workers/main.ts", {
          DATABASE_URL: database.url,
          ENCRYPTION_KEYS: encryptionKeys,
          ALLOW_PRIVATE_TARGETS: "127.0.0.0/8",
          LOG_LEVEL: "error",
        }),
      );
    await Promise.all(workers.map((worker) => worker.said()));
    return workers;
  };
  try {
    await migrateDatabase(database.url);
    shop = await openShop(database.url, { encryptionKeys, origin, endpoints });
    return await work({ shop, start });
  } finally {
    await Promise.all(workers.map((worker) => worker.stop()));
    await shop?.close();
    await database.drop();
  }
}

/** Settles when nothing is open any more, and all of it is committed. Stops at the first that is, so it costs little. */
export async function whenEmpty(db: Db): Promise<void> {
  for (;;) {
    const open = await db.query("select 1 from undelivered where status = 'pending' limit 1");
    if (open.length === 0) return;
    await delay(10);
  }
}

/** Memory that a process has in use, in MiB. */
export async function residentMiB({ pid }: Child): Promise<number> {
  const { stdout } = await run("ps", ["-o", "rss=", "-p", String(pid)]);
  return Number(stdout) / 1024;
}
