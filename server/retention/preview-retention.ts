import type { Conn } from "#db/client.ts";
import { holdsOpen, listPartitionSizes, type Partition } from "#db/queries/retention.ts";
import { pastOn, pastTenants } from "../domain/retention.ts";
import { type Held, planRetention, type RetentionPlan } from "./plan-retention.ts";

/** A partition and what becomes of it. */
export interface PartitionPreview extends Partition {
  /** `drop` and `trim` by the next run; `keep` for now; `refuse`: it would go, were it not for a refusal. */
  action: "drop" | "trim" | "keep" | "refuse";
  why: string;
}

/** What the next run would do with each partition, and what it refuses. It changes nothing. */
export async function previewRetention(
  conn: Conn,
  options: { days: number; isForced?: boolean },
): Promise<{ partitions: PartitionPreview[]; refusals: string[] }> {
  const plan = await planRetention(conn, options);
  const held = new Map(plan.partitions.map((partition) => [partition.name, partition]));
  const partitions: PartitionPreview[] = [];
  for (const partition of await listPartitionSizes(conn)) {
    const found = held.get(partition.name);
    partitions.push({
      ...partition,
      ...(found ? await outcome(conn, found, plan) : kept(partition, options.days)),
    });
  }
  return { partitions, refusals: plan.refusals };
}

function kept({ table, day }: Partition, days: number): Pick<PartitionPreview, "action" | "why"> {
  const date = pastOn(table, day, days).toISOString().slice(0, 10);
  return { action: "keep", why: `past its ${days} days on ${date}` };
}

async function outcome(
  conn: Conn,
  partition: Held,
  { policy, wanted, now }: RetentionPlan,
): Promise<Pick<PartitionPreview, "action" | "why">> {
  const asSet = pastTenants(partition, wanted, now);
  if (asSet.past.length === 0 && !asSet.isWhole) return kept(partition, wanted.days);
  const { past, isWhole } = policy ? pastTenants(partition, policy, now) : { past: [], isWhole: false };
  if (past.length === 0 && !isWhole) return { action: "refuse", why: "more than expected would go at once" };
  const count = `${past.length} of ${partition.tenants.length} tenants`;
  if (!isWhole) return { action: "trim", why: `${count} are past their retention` };
  if (await holdsOpen(conn, partition, partition.tenants))
    return { action: "trim", why: "something in it is not finished, or refers to what is not" };
  return {
    action: "drop",
    why: partition.tenants.length === 0 ? "empty" : `${count} are past their retention`,
  };
}
