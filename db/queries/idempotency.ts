import type { Conn, Tx } from "../client.ts";

/** Whose request, and which: the whole of it is the identity of a record. */
export interface IdempotencyScope {
  tenantId: string;
  principalId: string;
  method: string;
  path: string;
  key: string;
}

export interface StoredAnswer extends Record<string, unknown> {
  fingerprint: Buffer;
  status: number;
  headers: Record<string, string>;
  body: string | null;
  expiresAt: Date;
}

const IDENTITY = "tenant_id = $1 and principal_id = $2 and method = $3 and path = $4 and key = $5";
const identity = (scope: IdempotencyScope) => [
  scope.tenantId,
  scope.principalId,
  scope.method,
  scope.path,
  scope.key,
];

/**
 * Takes the key for this transaction; false when it is taken. While another transaction holds it this waits for that
 * one to end, at most `waitMs`, and then throws 55P03. A record whose time is over is taken anew.
 */
export async function takeIdempotencyKey(
  tx: Tx,
  scope: IdempotencyScope,
  record: { fingerprint: Buffer; now: Date; expiresAt: Date; waitMs: number },
): Promise<boolean> {
  // The limit holds for this statement alone: it is set by its own first row, and lifted by the next statement.
  const rows = await tx.query(
    `with patience as (select set_config('lock_timeout', $6, true))
     insert into idempotency_records as record
       (tenant_id, principal_id, method, path, key, fingerprint, created_at, expires_at)
     select $1, $2, $3, $4, $5, $7, $8, $9 from patience
     on conflict (tenant_id, principal_id, method, path, key) do update
        set fingerprint = excluded.fingerprint, created_at = excluded.created_at, expires_at = excluded.expires_at,
            status = null, headers = null, body = null
      where record.expires_at <= excluded.created_at
     returning 1`,
    [...identity(scope), String(record.waitMs), record.fingerprint, record.now, record.expiresAt],
    "take-idempotency-key",
  );
  await tx.query("select set_config('lock_timeout', '0', true)", [], "lift-lock-timeout");
  return rows.length > 0;
}

/** The answer that was stored under the key. */
export async function findIdempotentAnswer(
  conn: Conn,
  scope: IdempotencyScope,
): Promise<StoredAnswer | undefined> {
  const [row] = await conn.query<StoredAnswer>(
    `select fingerprint, status, headers, body, expires_at as "expiresAt" from idempotency_records where ${IDENTITY}`,
    identity(scope),
    "find-idempotent-answer",
  );
  return row;
}

/** Stores the answer under the key that this transaction has taken. */
export async function storeIdempotentAnswer(
  tx: Tx,
  scope: IdempotencyScope,
  answer: { status: number; headers: Record<string, string>; body: string | null },
): Promise<void> {
  await tx.query(
    `update idempotency_records set status = $6, headers = $7, body = $8 where ${IDENTITY}`,
    [...identity(scope), answer.status, JSON.stringify(answer.headers), answer.body],
    "store-idempotent-answer",
  );
}

/** Deletes at most `limit` records whose time is over, and none that is just being taken anew; gives how many. */
export async function deleteExpiredAnswers(
  conn: Conn,
  { now, limit }: { now: Date; limit: number },
): Promise<number> {
  const rows = await conn.query(
    `delete from idempotency_records where ctid = any(array(
       select ctid from idempotency_records where expires_at <= $1 order by expires_at limit $2 for update skip locked))
     returning 1`,
    [now, limit],
    "delete-expired-answers",
  );
  return rows.length;
}
