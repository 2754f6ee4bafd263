import type { Conn, Tx } from "../client.ts";
import { CREATED_POSITION, keyset, keysetValues, type PageQuery } from "./paging.ts";

/** The endpoints that take part in fan-out: neither deleted nor disabled. */
export function listSubscribers(
  conn: Conn,
  tenantId: string,
): Promise<{ id: string; eventTypes: string[] }[]> {
  return conn.query(
    `select id, event_types as "eventTypes" from webhook_endpoints
      where tenant_id = $1 and status <> 'disabled' and deleted_at is null order by id`,
    [tenantId],
    "list-subscribers",
  );
}

export interface NewEndpointRow {
  id: string;
  url: string;
  description: string | null;
  eventTypes: readonly string[];
  signatureFormat: string;
  timeoutMs: number;
  maxInFlight: number;
  createdAt: Date;
}

export interface EndpointRow extends Record<string, unknown> {
  id: string;
  url: string;
  description: string | null;
  eventTypes: string[];
  signatureFormat: string;
  status: string;
  disabledReason: string | null;
  timeoutMs: number;
  maxInFlight: number;
  version: string;
  createdAt: Date;
  updatedAt: Date;
  createdPosition: string;
}

const COLUMNS = `id, url, description, event_types as "eventTypes", signature_format as "signatureFormat", status,
  disabled_reason as "disabledReason", timeout_ms as "timeoutMs", max_in_flight as "maxInFlight", version,
  created_at as "createdAt", updated_at as "updatedAt", ${CREATED_POSITION}`;

export async function insertEndpoint(
  tx: Tx,
  tenantId: string,
  endpoint: NewEndpointRow,
): Promise<EndpointRow> {
  const [row] = await tx.query<EndpointRow>(
    `insert into webhook_endpoints
       (tenant_id, id, url, description, event_types, signature_format, timeout_ms, max_in_flight, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9) returning ${COLUMNS}`,
    [
      tenantId,
      endpoint.id,
      endpoint.url,
      endpoint.description,
      endpoint.eventTypes,
      endpoint.signatureFormat,
      endpoint.timeoutMs,
      endpoint.maxInFlight,
      endpoint.createdAt,
    ],
  );
  if (!row) throw new Error("insert gave no row");
  return row;
}

export async function insertEndpointSecret(
  tx: Tx,
  secret: { tenantId: string; endpointId: string; kid: string; sealed: string; createdAt: Date },
): Promise<void> {
  await tx.query(
    `insert into endpoint_secrets (tenant_id, endpoint_id, kid, sealed, created_at) values ($1, $2, $3, $4, $5)`,
    [secret.tenantId, secret.endpointId, secret.kid, secret.sealed, secret.createdAt],
  );
}

/** How many endpoints the tenant has. */
export async function countEndpoints(conn: Conn, tenantId: string): Promise<number> {
  const [row] = await conn.query<{ count: number }>(
    "select count(*)::int as count from webhook_endpoints where tenant_id = $1 and deleted_at is null",
    [tenantId],
  );
  return row?.count ?? 0;
}

export async function findEndpoint(
  conn: Conn,
  tenantId: string,
  id: string,
): Promise<EndpointRow | undefined> {
  const [row] = await conn.query<EndpointRow>(
    `select ${COLUMNS} from webhook_endpoints where tenant_id = $1 and id = $2 and deleted_at is null`,
    [tenantId, id],
    "find-endpoint",
  );
  return row;
}

/** Endpoints, newest first. */
export function listEndpoints(conn: Conn, tenantId: string, page: PageQuery): Promise<EndpointRow[]> {
  return conn.query(
    `select ${COLUMNS} from webhook_endpoints
      where tenant_id = $1 and deleted_at is null and ${keyset(page, 2, "uuid")}`,
    [tenantId, ...keysetValues(page)],
  );
}

/** Sets the URL of an endpoint when it is another; nothing happens when it is the same. */
export async function moveEndpoint(conn: Conn, tenantId: string, id: string, url: string): Promise<void> {
  await conn.query(
    `update webhook_endpoints set url = $3, version = version + 1, updated_at = now()
      where tenant_id = $1 and id = $2 and url <> $3`,
    [tenantId, id, url],
  );
}
