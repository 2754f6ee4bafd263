import type { Conn, Tx } from "../client.ts";

/*
 * What is pending for an ordered endpoint stands in `ordered_deliveries`, by the sequence of its event, and is sent by one
 * job alone: that which `ordered_endpoints` names. All but what that job has taken is held: no other job looks at it.
 * Whoever changes which job it is, or adds to the queue, holds the row of the endpoint until the end of the transaction.
 */

export interface OrderedEndpoint {
  tenantId: string;
  endpointId: string;
}

/** A delivery in the queue of its endpoint. */
export interface QueuedDelivery {
  endpointId: string;
  /** Of its event. */
  sequence: string;
  deliveryId: string;
}

/** Puts deliveries into the queues of their endpoints; those that are in one already stay. */
export async function queueOrdered(
  tx: Tx,
  tenantId: string,
  deliveries: readonly QueuedDelivery[],
): Promise<void> {
  await tx.query(
    `insert into ordered_deliveries (tenant_id, endpoint_id, sequence, delivery_id)
     select $1, * from unnest($2::uuid[], $3::bigint[], $4::uuid[]) on conflict do nothing`,
    [
      tenantId,
      deliveries.map((each) => each.endpointId),
      deliveries.map((each) => each.sequence),
      deliveries.map((each) => each.deliveryId),
    ],
    "queue-ordered",
  );
}

/**
 * Sees to it that each endpoint has a job, and keeps that from being changed until the transaction ends. Gives the
 * endpoints that had none and got the one proposed, which the caller has to make.
 */
export async function ensureOrderedJobs(
  tx: Tx,
  tenantId: string,
  proposals: readonly { endpointId: string; jobId: string }[],
): Promise<Set<string>> {
  // In one order everywhere, so that two transactions wait for each other and never in a circle.
  const inOrder = proposals.toSorted((a, b) => (a.endpointId < b.endpointId ? -1 : 1));
  const rows = await tx.query<{ jobId: string }>(
    `insert into ordered_endpoints as o (tenant_id, endpoint_id, job_id)
     select $1, * from unnest($2::uuid[], $3::uuid[])
     on conflict (tenant_id, endpoint_id) do update set job_id = o.job_id returning o.job_id as "jobId"`,
    [tenantId, inOrder.map((each) => each.endpointId), inOrder.map((each) => each.jobId)],
    "ensure-ordered-jobs",
  );
  const jobs = new Set(rows.map((row) => row.jobId));
  return new Set(inOrder.filter(({ jobId }) => jobs.has(jobId)).map(({ endpointId }) => endpointId));
}

/** The job of an endpoint; `undefined` when it has no queue. */
export async function orderedJob(
  conn: Conn,
  { tenantId, endpointId }: OrderedEndpoint,
): Promise<string | undefined> {
  const [row] = await conn.query<{ jobId: string }>(
    `select job_id as "jobId" from ordered_endpoints where tenant_id = $1 and endpoint_id = $2`,
    [tenantId, endpointId],
    "ordered-job",
  );
  return row?.jobId;
}

/** The same, kept from being changed until the transaction ends. */
export async function lockOrderedJob(
  tx: Tx,
  { tenantId, endpointId }: OrderedEndpoint,
): Promise<string | undefined> {
  const [row] = await tx.query<{ jobId: string }>(
    `select job_id as "jobId" from ordered_endpoints where tenant_id = $1 and endpoint_id = $2 for update`,
    [tenantId, endpointId],
    "lock-ordered-job",
  );
  return row?.jobId;
}

/** Makes another job that of an endpoint; `null`: its queue is empty, and it needs none. The caller has locked it. */
export async function setOrderedJob(
  tx: Tx,
  { tenantId, endpointId }: OrderedEndpoint,
  jobId: string | null,
): Promise<void> {
  if (jobId === null)
    await tx.query("delete from ordered_endpoints where tenant_id = $1 and endpoint_id = $2", [
      tenantId,
      endpointId,
    ]);
  else
    await tx.query(
      `insert into ordered_endpoints (tenant_id, endpoint_id, job_id) values ($1, $2, $3)
       on conflict (tenant_id, endpoint_id) do update set job_id = excluded.job_id`,
      [tenantId, endpointId, jobId],
    );
}

/** Whether a job is still as it was handed out; it stays so until the transaction ends. */
export async function lockHandedOut(
  tx: Tx,
  job: { queue: string; id: string; retryCount: number },
): Promise<boolean> {
  const rows = await tx.query(
    `select 1 from pgboss.job where name = $1 and id = $2 and retry_count = $3 and state = 'active' for update`,
    [job.queue, job.id, job.retryCount],
    "lock-handed-out",
  );
  return rows.length === 1;
}

/** What decides about the queue of an endpoint; `undefined` when there is no such endpoint. */
export async function findOrderedState(
  conn: Conn,
  { tenantId, endpointId }: OrderedEndpoint,
): Promise<{ ordered: boolean; isPaused: boolean } | undefined> {
  const [row] = await conn.query<{ ordered: boolean; isPaused: boolean }>(
    `select ordered, status = 'paused' and deleted_at is null as "isPaused"
       from webhook_endpoints where tenant_id = $1 and id = $2`,
    [tenantId, endpointId],
    "find-ordered-state",
  );
  return row;
}

/** A delivery in a queue. */
export interface Queued extends Record<string, unknown> {
  sequence: string;
  id: string;
  jobId: string;
  attempts: number;
  /** `null`: it waits for nothing but its turn. */
  nextAttemptAt: Date | null;
  /** Its time has not come. */
  isEarly: boolean;
  /** A worker holds the job that it follows. */
  isHeld: boolean;
}

/**
 * Looks at the first `limit` of a queue: those that have ended leave it, the others are given in their order as `queued`.
 * `isMore`: there may be others behind them.
 */
export async function lookAtOrdered(
  tx: Tx,
  { tenantId, endpointId }: OrderedEndpoint,
  limit: number,
): Promise<{ queued: Queued[]; ended: Queued[]; isMore: boolean }> {
  const rows = await tx.query<Queued & { isPending: boolean }>(
    `with seen as materialized (
       select q.sequence, q.delivery_id, coalesce(d.status = 'pending', false) as is_pending, d.job_id, d.attempts,
              d.next_attempt_at, exists (select 1 from claims c where c.job_id = d.job_id) as is_held
         from (select sequence, delivery_id from ordered_deliveries
                where tenant_id = $1 and endpoint_id = $2 order by sequence limit $3) q
              left join lateral (
                select status, job_id, attempts, next_attempt_at from deliveries
                 where tenant_id = $1 and id = q.delivery_id offset 0) d on true
     ), ended as (
       delete from ordered_deliveries
        where tenant_id = $1 and endpoint_id = $2
          and sequence = any (array(select sequence from seen where not is_pending))
     )
     select sequence, delivery_id as id, job_id as "jobId", attempts, next_attempt_at as "nextAttemptAt",
            coalesce(next_attempt_at > now(), false) as "isEarly", is_held as "isHeld", is_pending as "isPending"
       from seen order by sequence`,
    [tenantId, endpointId, limit],
    "look-at-ordered",
  );
  const [queued, ended] = [rows.filter((row) => row.isPending), rows.filter((row) => !row.isPending)];
  return { queued, ended, isMore: rows.length === limit };
}

/** Takes deliveries out of the queue of their endpoint. */
export async function unqueueOrdered(
  tx: Tx,
  { tenantId, endpointId }: OrderedEndpoint,
  sequences: readonly string[],
): Promise<void> {
  await tx.query(
    "delete from ordered_deliveries where tenant_id = $1 and endpoint_id = $2 and sequence = any($3::bigint[])",
    [tenantId, endpointId, sequences],
  );
}

/**
 * Puts up to `limit` of what is pending for an ordered endpoint into its queue, in the order of their ids and after that
 * of `after`, tests left out; gives the last one, or `undefined` when there were none.
 */
export async function queuePending(
  tx: Tx,
  of: OrderedEndpoint & { after: string; limit: number },
): Promise<string | undefined> {
  const [row] = await tx.query<{ last: string | null }>(
    // The endpoint is compared as text so that the index of what is pending serves, and not the one of all that it ever got.
    `with part as materialized (
       select d.id, d.event_id from deliveries d
        where d.tenant_id = $1 and d.status = 'pending' and d.id > $3 and d.endpoint_id::text = $2 and d.trigger <> 'test'
          and exists (select 1 from webhook_endpoints w where w.tenant_id = $1 and w.id = $2::uuid and w.ordered)
        order by d.id limit $4
     ), queued as (
       insert into ordered_deliveries (tenant_id, endpoint_id, sequence, delivery_id)
       select $1, $2::uuid, e.sequence, part.id
         from part, lateral (select sequence from events where tenant_id = $1 and id = part.event_id offset 0) e
       on conflict do nothing
     )
     select max(id::text) as last from part`,
    [of.tenantId, of.endpointId, of.after, of.limit],
  );
  return row?.last ?? undefined;
}

/**
 * Endpoints whose queue nobody would look at: the job that it has does not exist, or it has none. Those that are paused are
 * left out: their queues wait until they are enabled.
 */
export function listStranded(conn: Conn, queues: readonly string[]): Promise<OrderedEndpoint[]> {
  return conn.query<OrderedEndpoint & Record<string, unknown>>(
    `select o.tenant_id as "tenantId", o.endpoint_id as "endpointId"
       from ordered_endpoints o left join webhook_endpoints w on w.tenant_id = o.tenant_id and w.id = o.endpoint_id
      where (w.status is distinct from 'paused' or not w.ordered or w.deleted_at is not null)
        and not exists (select 1 from pgboss.job j
                         where j.name = any($1) and j.id = o.job_id and j.state < 'completed')
     union all
     select w.tenant_id, w.id from webhook_endpoints w
      where w.ordered and w.deleted_at is null and w.status <> 'paused'
        and exists (select 1 from ordered_deliveries q where q.tenant_id = w.tenant_id and q.endpoint_id = w.id)
        and not exists (select 1 from ordered_endpoints o where o.tenant_id = w.tenant_id and o.endpoint_id = w.id)`,
    [queues],
  );
}
