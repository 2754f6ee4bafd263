import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { connect, withTransaction } from "#db/client.ts";
import { newRootKey } from "#server/crypto/keyring.ts";
import { createApiKey } from "#server/keys/create-api-key.ts";
import { migrateDatabase } from "#server/runtime/migrate.ts";
import { createTenant } from "#server/tenants/create-tenant.ts";
import { openTestServer } from "./postgres-server.ts";

const root = join(import.meta.dirname, "..");

/** The API as Next serves it without our server in front, on a database of its own. Needs a build. */
export interface NextAlone {
  port: number;
  /** May do everything. */
  key: string;
  close(): Promise<void>;
}

export async function openNextAlone(): Promise<NextAlone> {
  const server = await openTestServer();
  const name = `${server.prefix}next_${process.pid}`;
  // The databases of a whole test run are dropped by who started it.
  const release = () => (process.env.TEST_DATABASE_PREFIX ? server.dropDatabase(name) : server.close());
  try {
    const url = await server.createDatabase(name);
    const key = await fill(url);
    const next = await start(url);
    const close = async () => {
      await next.stop();
      await release();
    };
    return { port: next.port, key, close };
  } catch (error) {
    await release();
    throw error;
  }
}

async function fill(url: string): Promise<string> {
  await migrateDatabase(url);
  const db = connect(url, { name: "next-alone", maxConnections: 1 });
  try {
    return await withTransaction(db, async (tx) => {
      const now = new Date();
      const { id: tenantId } = await createTenant(tx, { name: "Acme", now });
      return (await createApiKey(tx, { tenantId, name: "test", now })).key;
    });
  } finally {
    await db.close();
  }
}

async function start(databaseUrl: string): Promise<{ port: number; stop(): Promise<void> }> {
  const program = join(root, "node_modules", "next", "dist", "bin", "next");
  const settings = { DATABASE_URL: databaseUrl, ENCRYPTION_KEYS: newRootKey("k1"), RATE_LIMIT_REQUESTS: "0" };
  const child = spawn(process.execPath, [program, "start", "-p", "0", "-H", "127.0.0.1"], {
    cwd: root,
    env: { ...process.env, NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1", ...settings },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "exit");
  const stop = async () => {
    child.kill();
    await ended;
  };
  for await (const line of createInterface(child.stdout)) {
    const port = Number(/http:\/\/127\.0\.0\.1:(\d+)/.exec(line)?.[1]);
    if (!port) continue;
    child.stdout.resume();
    return { port, stop };
  }
  throw new Error("Next ended before it served anything.");
}
