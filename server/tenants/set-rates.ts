import { toId } from "#contracts/ids.ts";
import type { Tx } from "#db/client.ts";
import { setTenantRates, type TenantRates, tenantRates } from "#db/queries/tenants.ts";
import type { AuditEntry } from "../audit/append-audit.ts";
import { notFound } from "../errors.ts";

/**
 * Gives a tenant limits of its own, in units per second: 0 for no limit, `null` for those of the settings; what is not
 * named stays. They hold for each request from the commit on. Gives all of them, and notes a change in the audit log.
 */
export async function setRates(
  tx: Tx,
  note: (entry: AuditEntry) => Promise<void>,
  { tenantId, rates }: { tenantId: string; rates: Partial<TenantRates> },
): Promise<TenantRates> {
  const before = await tenantRates(tx, tenantId);
  if (!before) throw notFound();
  const after = { ...before, ...rates };
  if (after.requests === before.requests && after.events === before.events) return before;
  await setTenantRates(tx, tenantId, after);
  await note({ action: "tenant.limits", target: toId("tenant", tenantId), before, after });
  return after;
}
