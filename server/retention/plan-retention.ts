import type { Conn } from "#db/client.ts";
import { listPartitionSizes, type Partition, tenantsIn } from "#db/queries/retention.ts";
import { listRetentions, type RetentionState, readRetentionState } from "#db/queries/retention-state.ts";
import { type Accepted, isPast, type RetentionPolicy, type Verdict, weigh } from "../domain/retention.ts";

/** A partition with the tenants that have rows in it; they are looked up only where the day is past for somebody. */
export interface Held extends Partition {
  tenants: string[];
}

/** What retention would do now. */
export interface RetentionPlan extends Verdict {
  /** By the clock of the database: it is the one that all processes share. */
  now: Date;
  /** As it is set, whatever is refused of it. */
  wanted: RetentionPolicy;
  /** Those whose day has passed somebody's retention: events first, the oldest first. */
  partitions: Held[];
  last: RetentionState | undefined;
}

/** Looks at what is stored and weighs what is to go. `days` is the default retention; `isForced` accepts any amount. */
export async function planRetention(
  conn: Conn,
  { days, isForced = false }: { days: number; isForced?: boolean },
): Promise<RetentionPlan> {
  const [clock] = await conn.query<{ now: Date }>("select now() as now");
  const now = clock?.now ?? new Date();
  const last = await readRetentionState(conn);
  const wanted: RetentionPolicy = { days, tenants: await listRetentions(conn) };
  const shortest = Math.min(days, ...wanted.tenants.values());
  const partitions: Held[] = [];
  for (const partition of await listPartitionSizes(conn))
    if (isPast(partition.table, partition.day, shortest, now))
      partitions.push({ ...partition, tenants: await tenantsIn(conn, partition) });
  const verdict: Verdict = isForced
    ? { policy: wanted, refusals: [] }
    : weigh(wanted, toAccepted(last), partitions, now);
  return { ...verdict, now, wanted, partitions, last };
}

function toAccepted(last: RetentionState | undefined): Accepted | undefined {
  if (!last?.accepted) return undefined;
  const { at, days, tenants } = last.accepted;
  return { at: new Date(at), policy: { days, tenants: new Map(Object.entries(tenants)) } };
}
