import type { Conn, Tx } from "../client.ts";

/** How a run of retention ended. */
export type RetentionResult = "done" | "partial" | "refused" | "failed";

/** What the last run came to. */
export interface RetentionState extends Record<string, unknown> {
  ranAt: Date;
  result: RetentionResult;
  reason: string | null;
  /** How many partitions were dropped, and how many rows were removed from others. */
  partitions: number;
  rows: string;
  /** The policy that was last carried out, and when. */
  accepted: { at: string; days: number; tenants: Record<string, number> } | null;
}

export async function readRetentionState(conn: Conn): Promise<RetentionState | undefined> {
  const [state] = await conn.query<RetentionState>(
    `select ran_at as "ranAt", result, reason, partitions, rows, accepted from retention_state`,
  );
  return state;
}

/** Stores what a run came to. Without `accepted` the policy that was carried out before stays. */
export async function saveRetentionState(
  conn: Conn,
  run: Omit<RetentionState, "ranAt" | "rows" | "accepted"> & {
    rows: number;
    accepted: RetentionState["accepted"];
  },
): Promise<void> {
  await conn.query(
    `insert into retention_state as kept (ran_at, result, reason, partitions, rows, accepted) values (now(), $1, $2, $3, $4, $5)
     on conflict (id) do update
        set ran_at = excluded.ran_at, result = excluded.result, reason = excluded.reason, partitions = excluded.partitions,
            rows = excluded.rows, accepted = coalesce(excluded.accepted, kept.accepted)`,
    [run.result, run.reason, run.partitions, run.rows, run.accepted && JSON.stringify(run.accepted)],
  );
}

/** The tenants that have a retention of their own, in days. */
export async function listRetentions(conn: Conn): Promise<Map<string, number>> {
  const rows = await conn.query<{ id: string; days: number }>(
    "select id, retention_days as days from tenants where retention_days is not null",
  );
  return new Map(rows.map(({ id, days }) => [id, days]));
}

/** Whether this transaction is the only one that carries retention out, until it ends. */
export async function tryRetention(tx: Tx): Promise<boolean> {
  const [lock] = await tx.query<{ free: boolean }>(
    "select pg_try_advisory_xact_lock(hashtextextended('posthorn.retention', 0)) as free",
  );
  return lock?.free ?? false;
}

const GATE = "hashtextextended('posthorn.retention.gate', 0)";
const TENANT_GATE = "hashtextextended('posthorn.retention.gate/' || $1, 0)";

/** Keeps what is sent again and what is removed apart: waits for those who send again, and they for `tx` to end. */
export async function closeRetentionGate(tx: Tx): Promise<void> {
  await tx.query("set local lock_timeout = '3s'");
  await tx.query(`select pg_advisory_xact_lock(${GATE})`);
}

/** As `closeRetentionGate`, for what is removed of one tenant. */
export async function closeTenantGate(tx: Tx, tenantId: string): Promise<void> {
  await tx.query(`select pg_advisory_xact_lock(${TENANT_GATE})`, [tenantId]);
}

/** Taken by whoever makes settled deliveries pending again: until `tx` ends, nothing they are of is removed. */
export async function passRetentionGate(tx: Tx, tenantId: string): Promise<void> {
  await tx.query(
    `select pg_advisory_xact_lock_shared(${GATE}), pg_advisory_xact_lock_shared(${TENANT_GATE})`,
    [tenantId],
  );
}
