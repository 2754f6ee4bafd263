import { uuidv7 } from "uuidv7";
import { connect, type Db, withTransaction } from "#db/client.ts";
import { listPartitionSizes } from "#db/queries/retention.ts";
import { readRetentionState } from "#db/queries/retention-state.ts";
import { insertTenant } from "#db/queries/tenants.ts";
import { createLogger } from "#server/log/logger.ts";
import { beginRetention } from "#server/retention/retention-run.ts";
import { createTestDatabase } from "./database.ts";
import { daysAgo } from "./past-days.ts";

/** A database on which retention is run. */
export interface TestRetention {
  db: Db;
  url: string;
  addTenant(days?: number): Promise<string>;
  /** Carries retention out to its end; gives what was refused. */
  run(days: number, isForced?: boolean): Promise<string[]>;
  /** The days ago whose partition of a table is there, the oldest first, without the last two and those to come. */
  days(table: string): Promise<number[]>;
  /** How many rows of a tenant there are of events, deliveries and attempts. */
  rows(tenantId: string): Promise<number[]>;
  purged(tenantId: string): Promise<string>;
  state: () => ReturnType<typeof readRetentionState>;
  close(): Promise<void>;
}

export async function openTestRetention(): Promise<TestRetention> {
  const { url, drop } = await createTestDatabase();
  const db = connect(url, { name: "retention-test" });
  const log = createLogger({ name: "test", level: "silent" });
  const count = async (table: string, tenantId: string) => {
    const text = `select count(*)::int as count from ${table} where tenant_id = $1`;
    return (await db.query<{ count: number }>(text, [tenantId]))[0]?.count ?? -1;
  };
  return {
    ...{ db, url },
    async addTenant(days) {
      const id = uuidv7();
      await withTransaction(db, (tx) => insertTenant(tx, { id, name: "Acme", createdAt: new Date() }));
      if (days !== undefined)
        await db.query("update tenants set retention_days = $2 where id = $1", [id, days]);
      return id;
    },
    async run(days, isForced = false) {
      const deps = { db, log, note: async () => {} };
      const { run, refusals } = await beginRetention(deps, { days, isForced, restMs: 0 });
      if (run) {
        while (await run.step());
        await run.end();
      }
      return refusals;
    },
    async days(table) {
      const old = (await listPartitionSizes(db)).filter(
        (each) => each.table === table && each.day < daysAgo(2),
      );
      return old.map(({ day }) => (daysAgo(0) - day) / 86_400_000);
    },
    rows: (tenantId) =>
      Promise.all(["events", "deliveries", "attempts"].map((table) => count(table, tenantId))),
    async purged(tenantId) {
      const [row] = await db.query<{ purged: string }>(
        "select purged from tenant_sequences where tenant_id = $1",
        [tenantId],
      );
      return row?.purged ?? "";
    },
    state: () => readRetentionState(db),
    async close() {
      await db.close();
      await drop();
    },
  };
}
