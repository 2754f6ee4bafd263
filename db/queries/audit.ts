import type { Conn, Tx } from "../client.ts";
import type { PageQuery } from "./paging.ts";

export interface AuditEntry {
  /** From 1, contiguous per tenant. */
  number: string;
  at: Date;
  actor: string;
  role: string;
  action: string;
  target: string;
  before: unknown;
  after: unknown;
  requestId: string;
}

export interface AuditRow extends AuditEntry, Record<string, unknown> {
  previousHash: Buffer;
  hash: Buffer;
}

/** The end of a tenant's chain. */
export async function lastAuditRow(
  conn: Conn,
  tenantId: string,
): Promise<{ number: string; hash: Buffer } | undefined> {
  const [row] = await conn.query<{ number: string; hash: Buffer }>(
    "select number, hash from audit_log where tenant_id = $1 order by number desc limit 1",
    [tenantId],
  );
  return row;
}

export async function insertAuditRow(tx: Tx, tenantId: string, row: AuditRow): Promise<void> {
  const json = (value: unknown) => (value === null ? null : JSON.stringify(value));
  await tx.query(
    `insert into audit_log
       (tenant_id, number, at, actor, role, action, target, before, after, request_id, previous_hash, hash)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
    [
      tenantId,
      row.number,
      row.at,
      row.actor,
      row.role,
      row.action,
      row.target,
      json(row.before),
      json(row.after),
      row.requestId,
      row.previousHash,
      row.hash,
    ],
  );
}

const COLUMNS = `number, at, actor, role, action, target, before, after, request_id as "requestId",
  previous_hash as "previousHash", hash`;

/** A tenant's chain from its beginning. */
export function listAuditRows(conn: Conn, tenantId: string): Promise<AuditRow[]> {
  return conn.query(`select ${COLUMNS} from audit_log where tenant_id = $1 order by number`, [tenantId]);
}

export interface ChainedRow extends AuditRow {
  tenantId: string;
}

/** The chains one after the other, or one of them: at most `limit` entries that follow `after`. */
export function walkChains(
  conn: Conn,
  tenantId: string | undefined,
  after: { tenantId: string; number: string } | undefined,
  limit: number,
): Promise<ChainedRow[]> {
  return conn.query(
    `select ${COLUMNS}, tenant_id as "tenantId" from audit_log
      where ($1::uuid is null or tenant_id = $1)
        and ($2::uuid is null or (tenant_id, number) > ($2, $3::bigint))
      order by tenant_id, number limit $4`,
    [tenantId ?? null, after?.tenantId ?? null, after?.number ?? null, limit],
  );
}

export interface ListedAuditRow extends AuditRow {
  tenantId: string;
  /** `at` to the microsecond. */
  position: string;
}

/** What a page of the log is narrowed to; absent is no matter. */
export interface AuditFilters {
  tenantId?: string | undefined;
  actor?: string | undefined;
  /** An action, or what comes before a dot in it. */
  action?: string | undefined;
  target?: string | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
}

/** A page of all chains, newest first; `page.from` is time, tenant and number. */
export function listAuditPage(conn: Conn, filters: AuditFilters, page: PageQuery): Promise<ListedAuditRow[]> {
  const [comparison, direction] = page.backward ? [">", "asc"] : ["<", "desc"];
  return conn.query(
    `select ${COLUMNS}, tenant_id as "tenantId",
            to_char(at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as position
       from audit_log
      where ($1::uuid is null or tenant_id = $1) and ($2::text is null or actor = $2)
        and ($3::text is null or action = $3 or starts_with(action, $3 || '.'))
        and ($4::text is null or target = $4)
        and ($5::timestamptz is null or at >= $5) and ($6::timestamptz is null or at < $6)
        and ($7::timestamptz is null or (at, tenant_id, number) ${comparison} ($7, $8::uuid, $9::bigint))
      order by at ${direction}, tenant_id ${direction}, number ${direction} limit $10`,
    [
      filters.tenantId ?? null,
      filters.actor ?? null,
      filters.action ?? null,
      filters.target ?? null,
      filters.from ?? null,
      filters.to ?? null,
      page.from?.[0] ?? null,
      page.from?.[1] ?? null,
      page.from?.[2] ?? null,
      page.limit + 1,
    ],
  );
}
