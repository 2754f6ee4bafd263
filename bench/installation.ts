import { withTransaction } from "#db/client.ts";
import { newRootKey } from "#server/crypto/keyring.ts";
import { createApiKey } from "#server/keys/create-api-key.ts";
import { migrateDatabase } from "#server/runtime/migrate.ts";
import { MAX_RATE } from "#server/settings/settings.ts";
import { Child } from "./child.ts";
import type { Ground } from "./ground.ts";
import { openShop, type Shop } from "./shop.ts";

/** A database with a shop in it, and the means to start processes on it. */
export interface Installation {
  shop: Shop;
  /** Headers of a call with an API key of the shop. */
  headers: Record<string, string>;
  /** Starts one of the product's processes and waits until it is up; it is stopped with the installation. */
  start(file: string): Promise<{ origin: string; stop(): Promise<void> }>;
  close(): Promise<void>;
}

export interface InstallationOptions {
  /** Where the endpoints of the shop are. */
  receiverOrigin: string;
  endpoints: number;
}

/** Makes an installation in a database of its own, which is removed when it is closed. */
export async function openInstallation(
  ground: Ground,
  { receiverOrigin: origin, endpoints }: InstallationOptions,
): Promise<Installation> {
  const database = await ground.createDatabase();
  await migrateDatabase(database.url);
  const encryptionKeys = newRootKey("k1");
  const shop = await openShop(database.url, { encryptionKeys, origin, endpoints });
  const { key } = await withTransaction(shop.db, (tx) =>
    createApiKey(tx, { tenantId: shop.tenantId, name: "bench", now: new Date() }),
  );
  const children: Child[] = [];
  return {
    shop,
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    async start(file) {
      const child = new Child(file, {
        NODE_ENV: "production",
        DATABASE_URL: database.url,
        ENCRYPTION_KEYS: encryptionKeys,
        ALLOW_PRIVATE_TARGETS: "127.0.0.0/8",
        PORT: "0",
        // A limit that is never reached costs what one that is reached does.
        RATE_LIMIT_EVENTS: String(MAX_RATE),
      });
      children.push(child);
      const { port } = await child.said<{ port: number }>();
      return { origin: `http://127.0.0.1:${port}`, stop: () => child.stop() };
    },
    async close() {
      await Promise.all(children.map((child) => child.stop()));
      await shop.close();
      await database.drop();
    },
  };
}
