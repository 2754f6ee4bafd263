import type { Conn, Tx } from "../client.ts";
import { opaque } from "../opaque.ts";
import { CREATED_POSITION, keyset, keysetValues, type PageQuery } from "./paging.ts";

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
       from api_keys join tenants on tenants.id = tenant_id where public_id = any(${opaque("$1", "text[]")}::text[])`,
    [publicIds],
    "find-api-keys",
  );
}

/** A key as it is shown; never what it is made of. */
export interface KeyRecord extends Record<string, unknown> {
  id: string;
  principalId: string;
  publicId: string;
  name: string;
  scopes: string[];
  createdAt: Date;
  expiresAt: Date | null;
  revokedAt: Date | null;
  lastUsedAt: Date | null;
  createdPosition: string;
}

const RECORD = `id, principal_id as "principalId", public_id as "publicId", name, scopes, created_at as "createdAt",
  expires_at as "expiresAt", revoked_at as "revokedAt", last_used_at as "lastUsedAt", ${CREATED_POSITION}`;

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
): Promise<KeyRecord> {
  const [row] = await tx.query<KeyRecord>(
    `insert into api_keys (tenant_id, id, principal_id, public_id, secret_hash, name, scopes, created_at, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9) returning ${RECORD}`,
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
  if (!row) throw new Error("insert gave no row");
  return row;
}

/** All keys of a tenant, newest first; those that are revoked or expired too. */
export function listApiKeys(conn: Conn, tenantId: string): Promise<KeyRecord[]> {
  return conn.query(`select ${RECORD} from api_keys where tenant_id = $1 order by created_at desc, id desc`, [
    tenantId,
  ]);
}

/** The same a page at a time. */
export function listApiKeyPage(conn: Conn, tenantId: string, page: PageQuery): Promise<KeyRecord[]> {
  return conn.query(`select ${RECORD} from api_keys where tenant_id = $1 and ${keyset(page, 2, "uuid")}`, [
    tenantId,
    ...keysetValues(page),
  ]);
}

export async function findKeyRecord(
  conn: Conn,
  tenantId: string,
  id: string,
): Promise<KeyRecord | undefined> {
  const [row] = await conn.query<KeyRecord>(
    `select ${RECORD} from api_keys where tenant_id = $1 and id = $2`,
    [tenantId, id],
  );
  return row;
}

/** Reads a key that `tx` is about to change; others wait for it. */
export async function lockKeyRecord(tx: Tx, tenantId: string, id: string): Promise<KeyRecord | undefined> {
  const [row] = await tx.query<KeyRecord>(
    `select ${RECORD} from api_keys where tenant_id = $1 and id = $2 for update`,
    [tenantId, id],
  );
  return row;
}

/** Whether a key was made later that stands for the same principal. */
export async function isReplaced(conn: Conn, tenantId: string, key: KeyRecord): Promise<boolean> {
  const rows = await conn.query(
    `select 1 from api_keys
      where tenant_id = $1 and principal_id = $2 and (created_at, id) > ($3::timestamptz, $4::uuid) limit 1`,
    [tenantId, key.principalId, key.createdPosition, key.id],
  );
  return rows.length > 0;
}

/** How many keys of the tenant are neither revoked nor expired. */
export async function countActiveKeys(conn: Conn, tenantId: string, now: Date): Promise<number> {
  const [row] = await conn.query<{ count: number }>(
    `select count(*)::int as count from api_keys
      where tenant_id = $1 and revoked_at is null and (expires_at is null or expires_at > $2)`,
    [tenantId, now],
  );
  return row?.count ?? 0;
}

/** Lets a key end at a time, where it does not end sooner. */
export async function endApiKeyAt(tx: Tx, key: { tenantId: string; id: string; at: Date }): Promise<void> {
  await tx.query("update api_keys set expires_at = least(expires_at, $3) where tenant_id = $1 and id = $2", [
    key.tenantId,
    key.id,
    key.at,
  ]);
}

/** Revokes a key; `false` when there is none, or when it was revoked before. */
export async function setKeyRevoked(
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

/** A use of what somebody authenticates by. */
export interface Use {
  tenantId: string;
  id: string;
  at: Date;
}

/** Notes the last uses of keys, or of links to the portal. Rows that somebody is just changing are left for another time. */
export async function noteUses(
  conn: Conn,
  table: "api_keys" | "portal_links",
  uses: readonly Use[],
): Promise<void> {
  await conn.query(
    `with used as (
       select * from unnest($1::uuid[], $2::uuid[], $3::timestamptz[]) as used (tenant_id, id, at)
     ), free as (
       select tenant_id, id, at from ${table} join used using (tenant_id, id)
          for update of ${table} skip locked
     )
     update ${table} set last_used_at = greatest(last_used_at, free.at)
       from free where ${table}.tenant_id = free.tenant_id and ${table}.id = free.id`,
    [uses.map(({ tenantId }) => tenantId), uses.map(({ id }) => id), uses.map(({ at }) => at)],
    `note-uses-${table}`,
  );
}
