import type { Conn, Tx } from "../client.ts";

export interface ApiKeyRow extends Record<string, unknown> {
  publicId: string;
  tenantId: string;
  id: string;
  principalId: string;
  secretHash: Buffer;
  scopes: string[];
  expiresAt: Date | null;
  revokedAt: Date | null;
  lastUsedAt: Date | null;
  /** Of the tenant. */
  requestRate: number | null;
  eventRate: number | null;
}

/** The keys with these public ids: the one look-up that happens before a tenant is known. */
export function findApiKeys(conn: Conn, publicIds: readonly string[]): Promise<ApiKeyRow[]> {
  return conn.query(
    `select public_id as "publicId", tenant_id as "tenantId", api_keys.id, principal_id as "principalId",
            secret_hash as "secretHash", scopes, expires_at as "expiresAt", revoked_at as "revokedAt",
            last_used_at as "lastUsedAt", request_rate as "requestRate", event_rate as "eventRate"
       from api_keys join tenants on tenants.id = tenant_id where public_id = any($1)`,
    [publicIds],
    "find-api-keys",
  );
}

export async function insertApiKey(
  tx: Tx,
  key: {
    tenantId: string;
    id: string;
    principalId: string;
    publicId: string;
    secretHash: Buffer;
    name: string;
    scopes: readonly string[];
    createdAt: Date;
    expiresAt: Date | null;
  },
): Promise<void> {
  await tx.query(
    `insert into api_keys (tenant_id, id, principal_id, public_id, secret_hash, name, scopes, created_at, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      key.tenantId,
      key.id,
      key.principalId,
      key.publicId,
      key.secretHash,
      key.name,
      key.scopes,
      key.createdAt,
      key.expiresAt,
    ],
  );
}

export interface ListedApiKey extends Record<string, unknown> {
  id: string;
  publicId: string;
  name: string;
  scopes: string[];
  createdAt: Date;
  expiresAt: Date | null;
  revokedAt: Date | null;
  lastUsedAt: Date | null;
}

/** All keys of a tenant, newest first; those that are revoked or expired too. */
export function listApiKeys(conn: Conn, tenantId: string): Promise<ListedApiKey[]> {
  return conn.query(
    `select id, public_id as "publicId", name, scopes, created_at as "createdAt", expires_at as "expiresAt",
            revoked_at as "revokedAt", last_used_at as "lastUsedAt"
       from api_keys where tenant_id = $1 order by created_at desc, id desc`,
    [tenantId],
  );
}

/** Revokes a key; `false` when there is none, or when it was revoked before. */
export async function revokeApiKey(
  tx: Tx,
  key: { tenantId: string; id: string; at: Date },
): Promise<boolean> {
  const rows = await tx.query(
    `update api_keys set revoked_at = $3
      where tenant_id = $1 and id = $2 and revoked_at is null returning id`,
    [key.tenantId, key.id, key.at],
  );
  return rows.length > 0;
}

/** Notes a use of the key; one that has been noted since `unlessSince` stays as it is. */
export async function touchApiKey(
  conn: Conn,
  use: { tenantId: string; id: string; at: Date; unlessSince: Date },
): Promise<void> {
  await conn.query(
    `update api_keys set last_used_at = $3
      where tenant_id = $1 and id = $2 and (last_used_at is null or last_used_at < $4)`,
    [use.tenantId, use.id, use.at, use.unlessSince],
    "touch-api-key",
  );
}
