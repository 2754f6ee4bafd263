import type { Conn, Tx } from "../client.ts";
import { IS_PENDING } from "./delivering.ts";

/** An endpoint, by its plain ids. */
export interface EndpointKey {
  tenantId: string;
  endpointId: string;
}

/** What a batch of tries changes in the health of an endpoint; see `healthChanges`. */
export interface HealthChangeRow extends EndpointKey {
  hadSuccess: boolean;
  failures: number;
  blocked: number;
  isGone: boolean;
  /** As the worker remembers it; counts where there is no row yet. */
  lastSuccessAt: Date | null;
}

/** Which of the endpoints have failures noted that no success came after. Locks nothing. */
export function listFailing(conn: Conn, keys: readonly EndpointKey[]): Promise<{ endpointId: string }[]> {
  return conn.query(
    `select h.endpoint_id as "endpointId"
       from unnest($1::uuid[], $2::uuid[]) as k (tenant_id, endpoint_id),
            lateral (select endpoint_id from endpoint_health h
                      where h.tenant_id = k.tenant_id and h.endpoint_id = k.endpoint_id
                        and h.first_failure_at is not null offset 0) h`,
    [keys.map((key) => key.tenantId), keys.map((key) => key.endpointId)],
    "list-failing",
  );
}

// A batch with a success in it is one whose last success is the very moment at which it is written.
const AFTER_SUCCESS = "excluded.last_success_at = excluded.updated_at";
const ADDED = (column: string) =>
  `case when ${AFTER_SUCCESS} then excluded.${column} else h.${column} + excluded.${column} end`;

/**
 * Writes what tries change in the health of endpoints. Rows must come in one order everywhere (`healthChanges` gives it), so
 * that transactions wait for each other and never in a circle. Gives those about which something is to be done at once.
 */
export function changeHealth(
  tx: Tx,
  changes: readonly HealthChangeRow[],
  blockedLimit: number,
): Promise<EndpointKey[]> {
  return tx
    .query<EndpointKey & Record<string, unknown> & { isUrgent: boolean }>(
      `insert into endpoint_health as h (tenant_id, endpoint_id, consecutive_failures, first_failure_at, last_failure_at,
                                         last_success_at, blocked_in_row, gone_at, updated_at)
       select tenant_id, endpoint_id, failures, case when failures > 0 then now() end, case when failures > 0 then now() end,
              case when had_success then now() else last_success_at end, blocked, case when is_gone then now() end, now()
         from unnest($1::uuid[], $2::uuid[], $3::bool[], $4::int[], $5::int[], $6::bool[], $7::timestamptz[])
           as r (tenant_id, endpoint_id, had_success, failures, blocked, is_gone, last_success_at)
       on conflict (tenant_id, endpoint_id) do update
          set consecutive_failures = ${ADDED("consecutive_failures")},
              first_failure_at = case when ${AFTER_SUCCESS} then excluded.first_failure_at
                                      else coalesce(h.first_failure_at, excluded.first_failure_at) end,
              last_failure_at = coalesce(excluded.last_failure_at, h.last_failure_at),
              last_success_at = greatest(h.last_success_at, excluded.last_success_at),
              warned = case when ${AFTER_SUCCESS} then 0 else h.warned end,
              blocked_in_row = case when excluded.blocked_in_row = excluded.consecutive_failures
                                    then ${ADDED("blocked_in_row")} else excluded.blocked_in_row end,
              gone_at = coalesce(excluded.gone_at, h.gone_at), updated_at = now()
       returning tenant_id as "tenantId", endpoint_id as "endpointId",
                 gone_at is not null or blocked_in_row >= $8 as "isUrgent"`,
      [
        changes.map((change) => change.tenantId),
        changes.map((change) => change.endpointId),
        changes.map((change) => change.hadSuccess),
        changes.map((change) => change.failures),
        changes.map((change) => change.blocked),
        changes.map((change) => change.isGone),
        changes.map((change) => change.lastSuccessAt),
        blockedLimit,
      ],
      "change-health",
    )
    .then((rows) => rows.filter(({ isUrgent }) => isUrgent));
}

/** The health of an endpoint, and the moment of the database at which it was read. */
export interface HealthRow extends Record<string, unknown> {
  failures: number;
  firstFailureAt: Date | null;
  lastSuccessAt: Date | null;
  blockedInRow: number;
  goneAt: Date | null;
  warned: number;
  now: Date;
}

const HEALTH_COLUMNS = `consecutive_failures as failures, first_failure_at as "firstFailureAt", last_success_at as "lastSuccessAt",
  blocked_in_row as "blockedInRow", gone_at as "goneAt", warned, now() as now`;

/** The health of an endpoint, which nobody changes until the transaction ends; `undefined` when it has always been well. */
export async function lockHealth(tx: Tx, key: EndpointKey): Promise<HealthRow | undefined> {
  const [row] = await tx.query<HealthRow>(
    `select ${HEALTH_COLUMNS} from endpoint_health where tenant_id = $1 and endpoint_id = $2 for update`,
    [key.tenantId, key.endpointId],
  );
  return row;
}

/** Notes that the owner of an endpoint has been warned. */
export async function setWarned(tx: Tx, key: EndpointKey, percent: number): Promise<void> {
  await tx.query(
    "update endpoint_health set warned = $3, updated_at = now() where tenant_id = $1 and endpoint_id = $2",
    [key.tenantId, key.endpointId, percent],
  );
}

/** Forgets how an endpoint fared; gives whether its circuit breaker was not closed. */
export async function forgetHealth(tx: Tx, key: EndpointKey): Promise<boolean> {
  const [row] = await tx.query<{ wasShut: boolean }>(
    `delete from endpoint_health where tenant_id = $1 and endpoint_id = $2
     returning breaker_state <> 'closed' as "wasShut"`,
    [key.tenantId, key.endpointId],
  );
  return row?.wasShut ?? false;
}

export interface FailingEndpoint extends HealthRow, EndpointKey {
  isPaused: boolean;
}

/** Endpoints that fail and are not disabled, at most `limit` in the order of their ids after that of `after`. Locks nothing. */
export function listFailingAfter(conn: Conn, after: EndpointKey, limit: number): Promise<FailingEndpoint[]> {
  return conn.query(
    `select h.tenant_id as "tenantId", h.endpoint_id as "endpointId", w.status = 'paused' as "isPaused", ${HEALTH_COLUMNS}
       from endpoint_health h
       join webhook_endpoints w on w.tenant_id = h.tenant_id and w.id = h.endpoint_id
      where (h.tenant_id, h.endpoint_id) > ($1, $2) and h.first_failure_at is not null
        and w.status <> 'disabled' and w.deleted_at is null
      order by h.tenant_id, h.endpoint_id limit $3`,
    [after.tenantId, after.endpointId, limit],
  );
}

/** Forgets the health of up to `limit` endpoints that are deleted; gives how many there were. */
export async function forgetDeleted(conn: Conn, limit: number): Promise<number> {
  const rows = await conn.query(
    `delete from endpoint_health where (tenant_id, endpoint_id) in (
       select h.tenant_id, h.endpoint_id from endpoint_health h
        where not exists (select 1 from webhook_endpoints w
                           where w.tenant_id = h.tenant_id and w.id = h.endpoint_id and w.deleted_at is null)
        limit $1)
     returning 1`,
    [limit],
  );
  return rows.length;
}

/**
 * Cancels up to `limit` pending deliveries of an endpoint, in the order of their ids, after `after` and before `before`;
 * gives the last one, or `undefined` when there were none. A request that is under way goes on, and its result counts.
 */
export async function cancelPendingOfEndpoint(
  tx: Tx,
  of: { tenantId: string; endpointId: string; after: string; before: string; limit: number },
): Promise<string | undefined> {
  const [row] = await tx.query<{ last: string | null }>(
    `with queued as materialized (
       select id from undelivered
        where tenant_id = $1 and endpoint_id = $2 and status = 'pending' and id > $3 and id < $5
        order by id limit $4
     ), cancelled as (
       update deliveries d set status = 'cancelled', next_attempt_at = null
         from queued where d.tenant_id = $1 and d.id = queued.id and ${IS_PENDING}
     )
     select max(id::text) as last from queued`,
    [of.tenantId, of.endpointId, of.after, of.limit, of.before],
  );
  return row?.last ?? undefined;
}
