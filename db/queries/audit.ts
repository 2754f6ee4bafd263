import type { Conn, Tx } from "../client.ts";

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

/** A tenant's chain from its beginning. */
export function listAuditRows(conn: Conn, tenantId: string): Promise<AuditRow[]> {
  return conn.query(
    `select number, at, actor, role, action, target, before, after, request_id as "requestId",
            previous_hash as "previousHash", hash
       from audit_log where tenant_id = $1 order by number`,
    [tenantId],
  );
}
