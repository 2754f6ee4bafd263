import type { Conn, Tx } from "../client.ts";
import { CREATED_POSITION, keyset, keysetValues, type PageQuery } from "./paging.ts";

/** A link as it is shown; never what it is made of. */
export interface LinkRecord extends Record<string, unknown> {
  id: string;
  name: string;
  access: string[];
  themeName: string | null;
  accentColor: string | null;
  hasLogo: boolean;
  frameAncestors: string[];
  createdBy: string;
  createdAt: Date;
  expiresAt: Date;
  revokedAt: Date | null;
  lastUsedAt: Date | null;
  createdPosition: string;
}

const RECORD = `id, name, access, theme_name as "themeName", accent_color as "accentColor",
  logo_url is not null as "hasLogo", frame_ancestors as "frameAncestors", created_by as "createdBy",
  created_at as "createdAt", expires_at as "expiresAt", revoked_at as "revokedAt", last_used_at as "lastUsedAt",
  ${CREATED_POSITION}`;

export interface NewLinkRow {
  tenantId: string;
  id: string;
  tokenHash: Buffer;
  name: string;
  access: readonly string[];
  themeName: string | null;
  accentColor: string | null;
  logoUrl: string | null;
  frameAncestors: readonly string[];
  createdBy: string;
  createdAt: Date;
  expiresAt: Date;
}

export async function insertPortalLink(tx: Tx, link: NewLinkRow): Promise<LinkRecord> {
  const [row] = await tx.query<LinkRecord>(
    `insert into portal_links (tenant_id, id, token_hash, name, access, theme_name, accent_color, logo_url,
                               frame_ancestors, created_by, created_at, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) returning ${RECORD}`,
    [
      link.tenantId,
      link.id,
      link.tokenHash,
      link.name,
      link.access,
      link.themeName,
      link.accentColor,
      link.logoUrl,
      link.frameAncestors,
      link.createdBy,
      link.createdAt,
      link.expiresAt,
    ],
  );
  if (!row) throw new Error("insert gave no row");
  return row;
}

/** What a token stands for. */
export interface TokenRow extends Record<string, unknown> {
  tenantId: string;
  id: string;
  access: string[];
  frameAncestors: string[];
  expiresAt: Date;
  revokedAt: Date | null;
  lastUsedAt: Date | null;
  /** Of the tenant. */
  requestRate: number | null;
  eventRate: number | null;
}

/** The link with this token: asked for before a tenant is known. */
export async function findByToken(conn: Conn, tokenHash: Buffer): Promise<TokenRow | undefined> {
  const [row] = await conn.query<TokenRow>(
    `select tenant_id as "tenantId", portal_links.id, access, frame_ancestors as "frameAncestors",
            expires_at as "expiresAt", revoked_at as "revokedAt", last_used_at as "lastUsedAt",
            request_rate as "requestRate", event_rate as "eventRate"
       from portal_links join tenants on tenants.id = tenant_id where token_hash = $1`,
    [tokenHash],
    "find-portal-link",
  );
  return row;
}

/** What the bearer of a link may know of it. */
export interface PortalRow extends Record<string, unknown> {
  id: string;
  tenantId: string;
  tenantName: string;
  access: string[];
  themeName: string | null;
  accentColor: string | null;
  logoUrl: string | null;
  expiresAt: Date;
}

export async function findPortal(conn: Conn, tenantId: string, id: string): Promise<PortalRow | undefined> {
  const [row] = await conn.query<PortalRow>(
    `select portal_links.id, tenant_id as "tenantId", tenants.name as "tenantName", access,
            theme_name as "themeName", accent_color as "accentColor", logo_url as "logoUrl", expires_at as "expiresAt"
       from portal_links join tenants on tenants.id = tenant_id where tenant_id = $1 and portal_links.id = $2`,
    [tenantId, id],
  );
  return row;
}

export function listPortalLinkPage(conn: Conn, tenantId: string, page: PageQuery): Promise<LinkRecord[]> {
  return conn.query(
    `select ${RECORD} from portal_links where tenant_id = $1 and ${keyset(page, 2, "uuid")}`,
    [tenantId, ...keysetValues(page)],
  );
}

export async function findPortalLink(
  conn: Conn,
  tenantId: string,
  id: string,
): Promise<LinkRecord | undefined> {
  const [row] = await conn.query<LinkRecord>(
    `select ${RECORD} from portal_links where tenant_id = $1 and id = $2`,
    [tenantId, id],
  );
  return row;
}

/** How many links of the tenant are neither revoked nor expired. */
export async function countActiveLinks(conn: Conn, tenantId: string, now: Date): Promise<number> {
  const [row] = await conn.query<{ count: number }>(
    `select count(*)::int as count from portal_links where tenant_id = $1 and revoked_at is null and expires_at > $2`,
    [tenantId, now],
  );
  return row?.count ?? 0;
}

/** Revokes a link; `false` when there is none, or when it was revoked before. */
export async function setLinkRevoked(
  tx: Tx,
  link: { tenantId: string; id: string; at: Date },
): Promise<boolean> {
  const rows = await tx.query(
    `update portal_links set revoked_at = $3
      where tenant_id = $1 and id = $2 and revoked_at is null returning id`,
    [link.tenantId, link.id, link.at],
  );
  return rows.length > 0;
}
