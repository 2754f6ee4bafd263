import { connect } from "#db/client.ts";
import { migrateTables } from "#db/migrate.ts";
import { migrateQueue } from "../queue/boss.ts";
import { createQueues } from "../queue/queues.ts";

/**
 * The release step: our tables, the partitions around now, the queue's tables and its queues.
 * Idempotent; concurrent callers wait for each other.
 */
export async function migrateDatabase(url: string): Promise<void> {
  await migrateTables(url, new Date());
  const db = connect(url, { name: "migrate", maxConnections: 2, statementTimeoutMs: 600_000 });
  try {
    const boss = await migrateQueue(db);
    await createQueues(boss);
    await boss.stop();
  } finally {
    await db.close();
  }
}
