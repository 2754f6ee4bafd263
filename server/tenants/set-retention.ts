import { toId } from "#contracts/ids.ts";
import type { Tx } from "#db/client.ts";
import { setTenantRetention, tenantRetention } from "#db/queries/tenants.ts";
import type { AuditEntry } from "../audit/append-audit.ts";
import { notFound } from "../errors.ts";

/**
 * Gives a tenant a retention of its own in days, or with `null` that of the settings; with `undefined` it stays. It holds
 * from the next run on, which refuses what would go far beyond the last one. Gives it, and notes a change in the audit log.
 */
export async function setRetention(
  tx: Tx,
  note: (entry: AuditEntry) => Promise<void>,
  { tenantId, days }: { tenantId: string; days: number | null | undefined },
): Promise<number | null> {
  const before = await tenantRetention(tx, tenantId);
  if (!before) throw notFound();
  if (days === undefined || days === before.days) return before.days;
  await setTenantRetention(tx, tenantId, days);
  await note({ action: "tenant.retention", target: toId("tenant", tenantId), before, after: { days } });
  return days;
}
