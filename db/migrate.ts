import { fileURLToPath } from "node:url";
import type { NodePgDatabase } from "drizzle-orm/node-postgres";
import { migrate } from "drizzle-orm/node-postgres/migrator";
import { connect, withTransaction } from "./client.ts";
import { ensurePartitions } from "./partitions.ts";

const MIGRATIONS = fileURLToPath(new URL("./migrations", import.meta.url));
// Any number that no other advisory lock uses.
const MIGRATION_LOCK = 7_081_992;

/**
 * Brings our tables to the newest version and makes the partitions around `now`.
 * Concurrent callers wait for each other. The queue's own tables are `migrateQueue`'s affair.
 */
export async function migrateTables(url: string, now: Date): Promise<void> {
  // One connection, so that the session's advisory lock covers everything.
  const db = connect(url, { name: "migrate", maxConnections: 1, statementTimeoutMs: 600_000 });
  try {
    await db.query("select pg_advisory_lock($1)", [MIGRATION_LOCK]);
    await migrate(db.orm as NodePgDatabase, { migrationsFolder: MIGRATIONS });
    await withTransaction(db, (tx) => ensurePartitions(tx, now));
  } finally {
    await db.close();
  }
}
