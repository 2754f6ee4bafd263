import type { Conn, Tx } from "../client.ts";
import { CREATED_POSITION, keyset, keysetValues, type PageQuery } from "./paging.ts";

export interface TenantRow extends Record<string, unknown> {
  id: string;
  name: string;
  /** `null` where the settings hold. */
  retentionDays: number | null;
  requestRate: number | null;
  eventRate: number | null;
  createdAt: Date;
  createdPosition: string;
}

const COLUMNS = `id, name, retention_days as "retentionDays", request_rate as "requestRate", event_rate as "eventRate",
  created_at as "createdAt", ${CREATED_POSITION}`;

/** Stores a tenant with the counter of its events' sequence. */
export async function insertTenant(
  tx: Tx,
  tenant: { id: string; name: string; createdAt: Date },
): Promise<void> {
  await tx.query("insert into tenants (id, name, created_at) values ($1, $2, $3)", [
    tenant.id,
    tenant.name,
    tenant.createdAt,
  ]);
  await tx.query("insert into tenant_sequences (tenant_id, last) values ($1, 0)", [tenant.id]);
}

export async function findTenant(conn: Conn, id: string): Promise<TenantRow | undefined> {
  const [row] = await conn.query<TenantRow>(
    `select ${COLUMNS} from tenants where id = $1`,
    [id],
    "find-tenant",
  );
  return row;
}

/** All tenants, newest first. */
export function listTenants(conn: Conn, page: PageQuery): Promise<TenantRow[]> {
  return conn.query(`select ${COLUMNS} from tenants where ${keyset(page, 1, "uuid")}`, keysetValues(page));
}

/** Makes the changes of a tenant's configuration take turns until `tx` ends. May be taken again. */
export async function lockTenant(tx: Tx, tenantId: string): Promise<void> {
  await tx.query("select pg_advisory_xact_lock(hashtextextended('posthorn.tenant/' || $1, 0))", [tenantId]);
}

/** A tenant's own limits per second: 0 for none, `null` where the setting holds. */
export interface TenantRates {
  requests: number | null;
  events: number | null;
}

/** Reads the limits of a tenant, which others then wait to change. */
export async function tenantRates(tx: Tx, id: string): Promise<TenantRates | undefined> {
  const [row] = await tx.query<TenantRates & Record<string, unknown>>(
    "select request_rate as requests, event_rate as events from tenants where id = $1 for no key update",
    [id],
  );
  return row;
}

/** Reads for how many days a tenant keeps its events, `null` for those of the setting; others then wait to change it. */
export async function tenantRetention(tx: Tx, id: string): Promise<{ days: number | null } | undefined> {
  const [row] = await tx.query<{ days: number | null }>(
    "select retention_days as days from tenants where id = $1 for no key update",
    [id],
  );
  return row;
}

export async function setTenantRetention(tx: Tx, id: string, days: number | null): Promise<void> {
  await tx.query("update tenants set retention_days = $2 where id = $1", [id, days]);
}

export async function setTenantRates(tx: Tx, id: string, { requests, events }: TenantRates): Promise<void> {
  await tx.query("update tenants set request_rate = $2, event_rate = $3 where id = $1", [
    id,
    requests,
    events,
  ]);
}

/** Reads a tenant that others then wait to change. */
export async function lockTenantRow(tx: Tx, id: string): Promise<TenantRow | undefined> {
  const [row] = await tx.query<TenantRow>(`select ${COLUMNS} from tenants where id = $1 for no key update`, [
    id,
  ]);
  return row;
}

export async function setTenantName(tx: Tx, id: string, name: string): Promise<void> {
  await tx.query("update tenants set name = $2 where id = $1", [id, name]);
}
