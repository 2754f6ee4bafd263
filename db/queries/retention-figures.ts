import type { Conn } from "../client.ts";
import { listPartitions, PARTITIONED_TABLES, partitionDay } from "../partitions.ts";
import { type RetentionState, readRetentionState } from "./retention-state.ts";

/** How far back what is kept reaches, and how retention goes. Times in milliseconds. */
export interface RetentionFigures {
  /** The beginning of the oldest partition's day, by table. */
  oldestPartitions: { table: string; day: number }[];
  /** When the oldest event that is kept was stored; `undefined` without events. */
  oldestEvent: number | undefined;
  last: RetentionState | undefined;
}

export async function retentionFigures(conn: Conn): Promise<RetentionFigures> {
  // By name, which is by day.
  const names = [...(await listPartitions(conn))].sort();
  const of = (table: string) => names.filter((name) => name.startsWith(`${table}_`));
  return {
    oldestPartitions: PARTITIONED_TABLES.flatMap((table) =>
      of(table)
        .slice(0, 1)
        .map((name) => ({ table, day: partitionDay(name) })),
    ),
    oldestEvent: await oldestEvent(conn, of("events")),
    last: await readRetentionState(conn),
  };
}

async function oldestEvent(conn: Conn, partitions: readonly string[]): Promise<number | undefined> {
  for (const name of partitions) {
    // Two look-ups for each tenant, however many events there are.
    const [row] = await conn.query<{ at: Date | null }>(
      `with recursive first as (
         (select tenant_id, created_at from ${name} order by tenant_id, id limit 1)
         union all
         select next.tenant_id, next.created_at from first,
                lateral (select tenant_id, created_at from ${name} e where e.tenant_id > first.tenant_id
                          order by tenant_id, id limit 1) next
       ) select min(created_at) as at from first`,
    );
    if (row?.at) return row.at.getTime();
  }
  return undefined;
}
