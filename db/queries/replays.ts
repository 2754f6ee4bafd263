import type { Conn, Tx } from "../client.ts";
import { CREATED_POSITION, keyset, keysetValues, type PageQuery } from "./paging.ts";

/** What a replay goes through: deliveries, then events that never made one, then nothing more. */
export type ReplayPhase = "deliveries" | "events" | "done";

export interface ReplayRow extends Record<string, unknown> {
  id: string;
  endpointId: string;
  kind: string;
  selection: Record<string, unknown>;
  status: string;
  total: number;
  done: number;
  succeeded: number;
  failed: number;
  putBack: number;
  phase: ReplayPhase;
  /** The last id that was looked at in this phase. */
  position: string | null;
  createdAt: Date;
  createdBy: Record<string, unknown> | null;
  startedAt: Date | null;
  completedAt: Date | null;
  createdPosition: string;
}

const COLUMNS = `id, endpoint_id as "endpointId", kind, selection, status, total, done, succeeded, failed,
  put_back as "putBack", phase, position, created_at as "createdAt", created_by as "createdBy", started_at as "startedAt",
  completed_at as "completedAt", ${CREATED_POSITION}`;

export interface NewReplayRow {
  id: string;
  endpointId: string;
  kind: string;
  selection: Record<string, unknown>;
  total: number;
  createdAt: Date;
  createdBy: Record<string, unknown>;
}

export async function insertReplay(tx: Tx, tenantId: string, replay: NewReplayRow): Promise<ReplayRow> {
  const [row] = await tx.query<ReplayRow>(
    `insert into replays (tenant_id, id, endpoint_id, kind, selection, total, created_at, created_by)
     values ($1, $2, $3, $4, $5, $6, $7, $8) returning ${COLUMNS}`,
    [
      tenantId,
      replay.id,
      replay.endpointId,
      replay.kind,
      JSON.stringify(replay.selection),
      replay.total,
      replay.createdAt,
      JSON.stringify(replay.createdBy),
    ],
  );
  if (!row) throw new Error("insert gave no row");
  return row;
}

export async function findReplay(conn: Conn, tenantId: string, id: string): Promise<ReplayRow | undefined> {
  const [row] = await conn.query<ReplayRow>(
    `select ${COLUMNS} from replays where tenant_id = $1 and id = $2`,
    [tenantId, id],
  );
  return row;
}

/** Replays, newest first. */
export function listReplays(
  conn: Conn,
  tenantId: string,
  { endpointId, status }: { endpointId: string | null; status: string | null },
  page: PageQuery,
): Promise<ReplayRow[]> {
  return conn.query(
    `select ${COLUMNS} from replays
      where tenant_id = $1 and ($2::uuid is null or endpoint_id = $2) and ($3::text is null or status = $3)
        and ${keyset(page, 4, "uuid")}`,
    [tenantId, endpointId, status, ...keysetValues(page)],
  );
}

/** How many replays of the tenant have not ended. */
export async function countOpenReplays(conn: Conn, tenantId: string): Promise<number> {
  const [row] = await conn.query<{ count: number }>(
    "select count(*)::int as count from replays where tenant_id = $1 and status in ('queued', 'running')",
    [tenantId],
  );
  return row?.count ?? 0;
}

/** Ends a replay that has not ended; gives it as it is then, or `undefined` when it had. */
export async function endReplay(
  tx: Tx,
  tenantId: string,
  end: { id: string; status: "completed" | "cancelled"; at: Date },
): Promise<ReplayRow | undefined> {
  const [row] = await tx.query<ReplayRow>(
    `update replays set status = $3, completed_at = $4
      where tenant_id = $1 and id = $2 and status in ('queued', 'running') returning ${COLUMNS}`,
    [tenantId, end.id, end.status, end.at],
  );
  return row;
}

/** What a replay has to know of its endpoint. */
export interface ReplayTarget extends Record<string, unknown> {
  id: string;
  status: string;
  isDeleted: boolean;
  eventTypes: string[];
  /** As the contract writes it; `null` when there is none. */
  filter: unknown;
}

export async function findReplayTarget(
  conn: Conn,
  tenantId: string,
  endpointId: string,
): Promise<ReplayTarget | undefined> {
  const [row] = await conn.query<ReplayTarget>(
    `select id, status, deleted_at is not null as "isDeleted", event_types as "eventTypes", filter
       from webhook_endpoints where tenant_id = $1 and id = $2`,
    [tenantId, endpointId],
  );
  return row;
}

/** Replays that have not ended, or wait for what they have put back, and have no job of this queue. */
export function listStrayReplays(
  conn: Conn,
  queue: string,
): Promise<{ tenantId: string; replayId: string }[]> {
  return conn.query(
    `select tenant_id as "tenantId", id as "replayId" from replays r
      where (status in ('queued', 'running')
             or exists (select 1 from replay_items i where i.tenant_id = r.tenant_id and i.replay_id = r.id))
        and not exists (select 1 from pgboss.job j where j.name = $1 and j.id = r.id and j.state < 'completed')`,
    [queue],
  );
}

/** A replay, locked until `tx` ends: one step of it is made at a time. */
export async function lockReplay(tx: Tx, tenantId: string, id: string): Promise<ReplayRow | undefined> {
  const [row] = await tx.query<ReplayRow>(
    `select ${COLUMNS} from replays where tenant_id = $1 and id = $2 for update`,
    [tenantId, id],
  );
  return row;
}

/** Writes how far a replay has come. */
export async function saveProgress(tx: Tx, tenantId: string, replay: ReplayRow): Promise<void> {
  await tx.query(
    `update replays set total = $3, done = $4, succeeded = $5, failed = $6, put_back = $7, phase = $8, position = $9,
            status = $10, started_at = $11, completed_at = $12
      where tenant_id = $1 and id = $2`,
    [
      tenantId,
      replay.id,
      replay.total,
      replay.done,
      replay.succeeded,
      replay.failed,
      replay.putBack,
      replay.phase,
      replay.position,
      replay.status,
      replay.startedAt,
      replay.completedAt,
    ],
  );
}
