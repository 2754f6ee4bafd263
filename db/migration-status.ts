import type { Conn } from "./client.ts";
import journal from "./migrations/meta/_journal.json" with { type: "json" };

export interface MigrationStatus {
  /** Name of the newest migration that this program knows. */
  newest: string;
  /** Migrations that the database has not seen yet, oldest first. */
  pending: string[];
  /** Whether the database was migrated by a newer program. */
  isAhead: boolean;
}

/** How the tables of the database compare with what this program expects. Reads only; an empty database is one where all is pending. */
export async function migrationStatus(conn: Conn): Promise<MigrationStatus> {
  const entries = journal.entries;
  const newest = entries.at(-1);
  if (!newest) throw new Error("there are no migrations");
  const applied = await lastApplied(conn);
  return {
    newest: newest.tag,
    pending: entries.filter(({ when }) => when > applied).map(({ tag }) => tag),
    isAhead: applied > newest.when,
  };
}

/** Time stamp of the newest migration that was run (drizzle's own bookkeeping); 0 when there was none. */
async function lastApplied(conn: Conn): Promise<number> {
  const [table] = await conn.query<{ found: boolean }>(
    "select to_regclass('drizzle.__drizzle_migrations') is not null as found",
  );
  if (!table?.found) return 0;
  const [last] = await conn.query<{ at: string | null }>(
    "select max(created_at) as at from drizzle.__drizzle_migrations",
  );
  return Number(last?.at ?? 0);
}
