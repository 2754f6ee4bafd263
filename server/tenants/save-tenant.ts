import { toId } from "#contracts/ids.ts";
import type { NewTenant, TenantPatch } from "#contracts/tenants.ts";
import type { Tx } from "#db/client.ts";
import { findTenant, lockTenantRow, setTenantName, type TenantRow } from "#db/queries/tenants.ts";
import type { AuditEntry } from "../audit/append-audit.ts";
import { notFound } from "../errors.ts";
import { createTenant } from "./create-tenant.ts";
import { setRates } from "./set-rates.ts";
import { setRetention } from "./set-retention.ts";

/** Writes into the log of the tenant. */
type Note = (tenantId: string, entry: AuditEntry) => Promise<void>;

/** Makes a tenant with what it has of its own, and notes it in its log. */
export async function makeTenant(tx: Tx, note: Note, wanted: NewTenant, now: Date): Promise<TenantRow> {
  const { name, ...own } = wanted;
  const { id } = await createTenant(tx, { name, now });
  await note(id, { action: "tenant.create", target: toId("tenant", id), after: { name } });
  await setOwn(tx, note, id, own);
  return reread(tx, id);
}

/** Changes what is named of a tenant, and notes each change in its log. */
export async function changeTenant(tx: Tx, note: Note, id: string, patch: TenantPatch): Promise<TenantRow> {
  const before = await lockTenantRow(tx, id);
  if (!before) throw notFound();
  const { name = before.name, ...own } = patch;
  if (name !== before.name) {
    await setTenantName(tx, id, name);
    const target = toId("tenant", id);
    await note(id, { action: "tenant.rename", target, before: { name: before.name }, after: { name } });
  }
  await setOwn(tx, note, id, own);
  return reread(tx, id);
}

async function setOwn(tx: Tx, note: Note, tenantId: string, own: Omit<TenantPatch, "name">): Promise<void> {
  const noteIt = (entry: AuditEntry) => note(tenantId, entry);
  await setRetention(tx, noteIt, { tenantId, days: own.retention_days });
  const rates = {
    ...(own.request_rate === undefined ? {} : { requests: own.request_rate }),
    ...(own.event_rate === undefined ? {} : { events: own.event_rate }),
  };
  await setRates(tx, noteIt, { tenantId, rates });
}

async function reread(tx: Tx, id: string): Promise<TenantRow> {
  const row = await findTenant(tx, id);
  if (!row) throw notFound();
  return row;
}
