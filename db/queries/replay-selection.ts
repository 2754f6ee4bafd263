import { arrayParameter } from "../array-parameter.ts";
import type { Conn, Tx } from "../client.ts";
import { passRetentionGate } from "./retention-state.ts";

/** The deliveries that a replay is of. */
export interface SelectionQuery {
  tenantId: string;
  endpointId: string;
  /** Ids between these, without them. */
  afterId: string;
  beforeId: string;
  statuses: readonly string[];
  /** LIKE patterns; `null` for every type. */
  typePatterns: readonly string[] | null;
  /** `null` for any. */
  failureReasons: readonly string[] | null;
}

const RANGE = "d.tenant_id = $1 and d.endpoint_id = $2 and d.id > $3 and d.id < $4";
const IS_SELECTED = `d.status = any($5) and ($6::text[] is null or d.event_type like any($6))
  and ($7::text[] is null or coalesce(d.failure_reason = any($7), false))`;
const valuesOf = (query: SelectionQuery) => [
  query.tenantId,
  query.endpointId,
  query.afterId,
  query.beforeId,
  query.statuses,
  query.typePatterns,
  query.failureReasons,
];

/** How many deliveries a selection is of at this moment. */
export async function countSelected(conn: Conn, query: SelectionQuery): Promise<number> {
  const [row] = await conn.query<{ count: number }>(
    `select count(*)::int as count from deliveries d where ${RANGE} and ${IS_SELECTED}`,
    valuesOf(query),
  );
  return row?.count ?? 0;
}

/** A delivery that was looked at, and whether the selection is of it. */
export interface Looked extends Record<string, unknown> {
  id: string;
  selected: boolean;
}

/**
 * The next `limit` deliveries of the range in the order of their ids, selected or not: what a look costs does not depend
 * on how many it finds.
 */
export function lookAtDeliveries(conn: Conn, query: SelectionQuery, limit: number): Promise<Looked[]> {
  return conn.query(
    `select d.id, (${IS_SELECTED}) as selected from deliveries d where ${RANGE} order by d.id limit $8`,
    [...valuesOf(query), limit],
  );
}

/** A delivery on its way to a new job. */
export interface PutBack {
  id: string;
  jobId: string;
}

/**
 * Makes settled deliveries due now under new jobs; gives the ids of those that were still in one of the states and whose
 * event still has its data. One that was cancelled while its request was under way is not settled before that has ended.
 */
export async function reopenDeliveries(
  tx: Tx,
  { tenantId, statuses, trigger }: { tenantId: string; statuses: readonly string[]; trigger: string },
  deliveries: readonly PutBack[],
): Promise<Set<string>> {
  const ids = deliveries.map(({ id }) => id).toSorted();
  await passRetentionGate(tx, tenantId);
  const rows = await tx.query<{ id: string }>(
    // No join, which the planner turns round (every row against the list) when its statistics are stale, and the states
    // written so that no index serves them: each row is found by its id, in the partitions between the first and the last.
    `update deliveries d set status = 'pending', step = 0, trigger = $3, next_attempt_at = now(),
            job_id = ($5::uuid[])[array_position($4::uuid[], d.id)],
            failure_class = null, failure_reason = null, delivered_at = null
      where d.tenant_id = $1 and d.id = any($4) and d.id >= $6 and d.id <= $7 and d.status || '' = any($2)
        and (d.status <> 'cancelled' or not exists (select 1 from claims c where c.job_id = d.job_id))
        and exists (select 1 from events e
                     where e.tenant_id = d.tenant_id and e.id = d.event_id and e.expunged_at is null)
     returning d.id`,
    [
      tenantId,
      statuses,
      trigger,
      arrayParameter(
        "uuid",
        deliveries.map(({ id }) => id),
      ),
      arrayParameter(
        "uuid",
        deliveries.map(({ jobId }) => jobId),
      ),
      ids[0],
      ids.at(-1),
    ],
  );
  return new Set(rows.map((row) => row.id));
}

/** The events that a recovery looks through. */
export interface EventQuery {
  tenantId: string;
  endpointId: string;
  afterId: string;
  /** Times of storing, the first included. */
  from: Date;
  to: Date;
  typePatterns: readonly string[] | null;
  /** No delivery of these events has an id before this one. */
  firstDeliveryId: string;
  withBody: boolean;
}

export interface LookedEvent extends Record<string, unknown> {
  id: string;
  type: string;
  /** Of an event that is missing, when it was asked for. */
  body: string | null;
  /** Whether it is of the range and the types, was no test of one endpoint, and has no delivery to this one. */
  missing: boolean;
}

/** The next `limit` events in the order of their ids, missing or not. */
export function lookAtEvents(conn: Conn, query: EventQuery, limit: number): Promise<LookedEvent[]> {
  return conn.query(
    `select id, type, missing, case when missing and $8 then body end as body
       from (select e.id, e.type, e.body,
                    e.expunged_at is null and e.only_to is null and e.created_at >= $4 and e.created_at < $5 and ($6::text[] is null or e.type like any($6))
                    and not exists (select 1 from deliveries d
                                     where d.tenant_id = $1 and d.event_id = e.id and d.endpoint_id = $2 and d.id >= $7) as missing
               from (select id, type, body, created_at, expunged_at, only_to from events
                      where tenant_id = $1 and id > $3 order by id limit $9) e offset 0) looked
      order by id`,
    [
      query.tenantId,
      query.endpointId,
      query.afterId,
      query.from,
      query.to,
      query.typePatterns,
      query.firstDeliveryId,
      query.withBody,
      limit,
    ],
  );
}

/** Lets one transaction at a time make missing deliveries of an endpoint, so that none is made twice, and of no event that is just going. */
export async function lockMissing(tx: Tx, tenantId: string, endpointId: string): Promise<void> {
  await passRetentionGate(tx, tenantId);
  await tx.query(
    "select pg_advisory_xact_lock(hashtextextended('posthorn.missing/' || $1 || '/' || $2, 0))",
    [tenantId, endpointId],
  );
}
