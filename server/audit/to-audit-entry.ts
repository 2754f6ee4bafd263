import { type AuditEntry, INSTALLATION_CHAIN } from "#contracts/audit.ts";
import { fromId, toId } from "#contracts/ids.ts";
import type { ListedAuditRow } from "#db/queries/audit.ts";
import { INSTALLATION } from "./append-audit.ts";

/** The tenant of a chain as answers name it. */
export const chainName = (tenantId: string): string | null =>
  tenantId === INSTALLATION ? null : toId("tenant", tenantId);

/** The chain that a filter names; `undefined` is all of them. */
export const chainOf = (name: string | undefined): string | undefined =>
  name === INSTALLATION_CHAIN ? INSTALLATION : name && fromId("tenant", name);

/** An entry as answers show it. */
export function toAuditEntry(row: ListedAuditRow): AuditEntry {
  return {
    tenant_id: chainName(row.tenantId),
    number: Number(row.number),
    at: row.at.toISOString(),
    actor: row.actor,
    role: row.role,
    action: row.action,
    target: row.target,
    before: row.before,
    after: row.after,
    request_id: row.requestId,
    hash: row.hash.toString("hex"),
  };
}
