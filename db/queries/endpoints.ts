import type { Conn, Tx } from "../client.ts";
import { CREATED_POSITION, keyset, keysetValues, type PageQuery } from "./paging.ts";

/** An endpoint that takes part in fan-out. */
export interface SubscriberRow extends Record<string, unknown> {
  id: string;
  eventTypes: string[];
  /** JSON text of its content filter. */
  filter: string | null;
  ordered: boolean;
}

/** The endpoints that take part in fan-out: neither deleted nor disabled. */
export function listSubscribers(conn: Conn, tenantId: string): Promise<SubscriberRow[]> {
  return conn.query(
    `select id, event_types as "eventTypes", filter::text as filter, ordered from webhook_endpoints
      where tenant_id = $1 and status <> 'disabled' and deleted_at is null order by id`,
    [tenantId],
    "list-subscribers",
  );
}

/** What can be set of an endpoint, as it is stored; what a new one leaves out has its column's default. */
export interface SettingsRow {
  url: string;
  description: string | null;
  eventTypes: readonly string[];
  filter: unknown;
  signatureFormat: string;
  timeoutMs: number;
  maxInFlight: number;
  rateLimit: number | null;
  ordered: boolean;
  /** One JSON object of all further request headers, and the names in it. */
  sealedHeaders: string | null;
  headerNames: readonly string[];
  /** The ed25519 key: both halves or none. */
  sealedSigningKey: string | null;
  publicKey: string | null;
  metadata: Readonly<Record<string, string>>;
  /** As the contract writes it. */
  retryPolicy: unknown;
}

export type NewEndpointRow = Pick<
  SettingsRow,
  "url" | "description" | "eventTypes" | "signatureFormat" | "timeoutMs" | "maxInFlight"
> &
  Partial<SettingsRow> & { id: string; createdAt: Date };

export interface EndpointRow extends Record<string, unknown> {
  id: string;
  url: string;
  description: string | null;
  eventTypes: string[];
  filter: Record<string, unknown> | null;
  signatureFormat: string;
  status: string;
  disabledReason: string | null;
  timeoutMs: number;
  maxInFlight: number;
  rateLimit: number | null;
  ordered: boolean;
  headerNames: string[];
  publicKey: string | null;
  metadata: Record<string, string>;
  retryPolicy: { max_attempts: number | null; schedule_seconds: number[] | null } | null;
  version: string;
  createdAt: Date;
  updatedAt: Date;
  createdPosition: string;
}

export const ENDPOINT_COLUMNS = `id, url, description, event_types as "eventTypes", filter, signature_format as "signatureFormat", status,
  disabled_reason as "disabledReason", timeout_ms as "timeoutMs", max_in_flight as "maxInFlight",
  rate_limit as "rateLimit", ordered, header_names as "headerNames", public_key as "publicKey", metadata,
  retry_policy as "retryPolicy", version,
  created_at as "createdAt", updated_at as "updatedAt", ${CREATED_POSITION}`;

export const SETTINGS = `url, description, event_types, filter, signature_format, timeout_ms, max_in_flight, rate_limit,
  ordered, sealed_headers, header_names, sealed_signing_key, public_key, metadata, retry_policy`;

/** The values of `SETTINGS`, which are the parameters 3 to 17. */
export function settingsValues(settings: SettingsRow): unknown[] {
  return [
    settings.url,
    settings.description,
    settings.eventTypes,
    settings.filter === null ? null : JSON.stringify(settings.filter),
    settings.signatureFormat,
    settings.timeoutMs,
    settings.maxInFlight,
    settings.rateLimit,
    settings.ordered,
    settings.sealedHeaders,
    settings.headerNames,
    settings.sealedSigningKey,
    settings.publicKey,
    JSON.stringify(settings.metadata),
    settings.retryPolicy === null ? null : JSON.stringify(settings.retryPolicy),
  ];
}

/** The parameters that `settingsValues` gives, as a list. */
export const SETTINGS_PARAMETERS = Array.from({ length: 15 }, (_, index) => `$${index + 3}`).join(", ");

const DEFAULTS = {
  ...{ filter: null, rateLimit: null, ordered: false, metadata: {} },
  ...{ sealedHeaders: null, headerNames: [], sealedSigningKey: null, publicKey: null, retryPolicy: null },
};

export async function insertEndpoint(
  tx: Tx,
  tenantId: string,
  endpoint: NewEndpointRow,
): Promise<EndpointRow> {
  const [row] = await tx.query<EndpointRow>(
    `insert into webhook_endpoints (tenant_id, id, ${SETTINGS}, created_at, updated_at)
     values ($1, $2, ${SETTINGS_PARAMETERS}, $18, $18) returning ${ENDPOINT_COLUMNS}`,
    [tenantId, endpoint.id, ...settingsValues({ ...DEFAULTS, ...endpoint }), endpoint.createdAt],
  );
  if (!row) throw new Error("insert gave no row");
  return row;
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
    `select ${ENDPOINT_COLUMNS} from webhook_endpoints where tenant_id = $1 and id = $2 and deleted_at is null`,
    [tenantId, id],
    "find-endpoint",
  );
  return row;
}

/** The version of an endpoint and whether it is deleted, as far as there ever was one. */
export async function findEndpointOrTombstone(
  conn: Conn,
  tenantId: string,
  id: string,
): Promise<{ id: string; isDeleted: boolean; version?: string } | undefined> {
  const [row] = await conn.query<{ id: string; version: string; isDeleted: boolean }>(
    `select id, version, deleted_at is not null as "isDeleted" from webhook_endpoints
      where tenant_id = $1 and id = $2`,
    [tenantId, id],
  );
  return row;
}

/** Endpoints, newest first. */
export function listEndpoints(conn: Conn, tenantId: string, page: PageQuery): Promise<EndpointRow[]> {
  return conn.query(
    `select ${ENDPOINT_COLUMNS} from webhook_endpoints
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
