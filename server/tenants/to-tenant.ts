import { toId } from "#contracts/ids.ts";
import type { Tenant } from "#contracts/tenants.ts";
import type { TenantRow } from "#db/queries/tenants.ts";

/** A tenant as answers show it. */
export function toTenant(row: TenantRow): Tenant {
  return {
    id: toId("tenant", row.id),
    name: row.name,
    retention_days: row.retentionDays,
    request_rate: row.requestRate,
    event_rate: row.eventRate,
    created_at: row.createdAt.toISOString(),
  };
}
