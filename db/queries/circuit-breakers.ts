import type { Conn, Tx } from "../client.ts";
import type { EndpointKey } from "./endpoint-health.ts";

/** The circuit breaker of an endpoint as it is stored; one that has no row is closed and always was. */
export interface BreakerRow extends EndpointKey, Record<string, unknown> {
  state: string;
  until: Date | null;
  opens: number;
  /** Milliseconds until `until`, by the clock of the database; negative when it is past. */
  inMs: number;
  /** When it was read, by that clock. */
  now: Date;
}

const COLUMNS = `h.tenant_id as "tenantId", h.endpoint_id as "endpointId", h.breaker_state as state,
  h.breaker_until as until, h.breaker_opens as opens,
  coalesce(extract(epoch from h.breaker_until - clock_timestamp()) * 1000, 0)::float8 as "inMs", clock_timestamp() as now`;

/** All breakers that are not closed, at most `limit`. */
export function listShut(conn: Conn, limit: number): Promise<BreakerRow[]> {
  return conn.query(
    `select ${COLUMNS} from endpoint_health h where h.breaker_state <> 'closed' limit $1`,
    [limit],
    "list-shut",
  );
}

/** The breaker of an endpoint; `undefined`: it was never open. */
export async function findBreaker(conn: Conn, key: EndpointKey): Promise<BreakerRow | undefined> {
  const [row] = await conn.query<BreakerRow>(
    `select ${COLUMNS} from endpoint_health h where h.tenant_id = $1 and h.endpoint_id = $2`,
    [key.tenantId, key.endpointId],
  );
  return row;
}

/** Somebody has a delivery for an endpoint whose breaker was not closed when it was last looked at. */
export interface ProbeRequest extends EndpointKey {
  /** How long the others wait for what comes of it. */
  leaseMs: number;
  /** A person asks for it: before its time too, unless a probe is under way. */
  isAsked: boolean;
}

/**
 * Lets one probe begin where it is time for one: of all who ask at the same time one gets it. Gives the breakers as they are
 * then; those that are closed or unknown are not among them.
 */
export function takeProbes(
  conn: Conn,
  requests: readonly ProbeRequest[],
): Promise<(BreakerRow & { isTaken: boolean })[]> {
  return conn.query(
    `with asked as materialized (
       select * from unnest($1::uuid[], $2::uuid[], $3::int[], $4::bool[]) as a (tenant_id, endpoint_id, lease_ms, is_asked)
     ), taken as (
       update endpoint_health h
          set breaker_state = 'half_open', updated_at = now(),
              breaker_until = clock_timestamp() + a.lease_ms * interval '1 millisecond'
         from asked a
        where h.tenant_id = a.tenant_id and h.endpoint_id = a.endpoint_id and h.breaker_state <> 'closed'
          and (h.breaker_until <= clock_timestamp() or (a.is_asked and h.breaker_state = 'open'))
       returning ${COLUMNS}
     )
     select *, true as "isTaken" from taken
     union all
     select ${COLUMNS}, false from asked a, lateral (
       select * from endpoint_health h where h.tenant_id = a.tenant_id and h.endpoint_id = a.endpoint_id offset 0) h
      where h.breaker_state <> 'closed' and h.endpoint_id not in (select "endpointId" from taken)`,
    [
      requests.map((request) => request.tenantId),
      requests.map((request) => request.endpointId),
      requests.map((request) => request.leaseMs),
      requests.map((request) => request.isAsked),
    ],
    "take-probes",
  );
}

/** Waits no longer for probes of endpoints to which tries were lost with their worker: others may try at once. */
export async function giveUpProbes(tx: Tx, lost: readonly EndpointKey[]): Promise<void> {
  await tx.query(
    `update endpoint_health h set breaker_until = now(), updated_at = now()
       from (select distinct * from unnest($1::uuid[], $2::uuid[]) as l (tenant_id, endpoint_id) order by 1, 2) l
      where h.tenant_id = l.tenant_id and h.endpoint_id = l.endpoint_id and h.breaker_state = 'half_open'`,
    [lost.map(({ tenantId }) => tenantId), lost.map(({ endpointId }) => endpointId)],
    "give-up-probes",
  );
}

/** The breakers of endpoints, which nobody changes until the transaction ends. `keys` in one order everywhere. */
export async function lockBreakers(tx: Tx, keys: readonly EndpointKey[]): Promise<BreakerRow[]> {
  const rows: BreakerRow[] = [];
  for (const { tenantId, endpointId } of keys)
    rows.push(
      ...(await tx.query<BreakerRow>(
        `select ${COLUMNS} from endpoint_health h where h.tenant_id = $1 and h.endpoint_id = $2 for update`,
        [tenantId, endpointId],
        "lock-breaker",
      )),
    );
  return rows;
}

/** Sets a breaker that the transaction has locked. */
export async function setBreaker(
  tx: Tx,
  { tenantId, endpointId, state, until, opens }: Omit<BreakerRow, "inMs" | "now">,
): Promise<void> {
  await tx.query(
    `update endpoint_health set breaker_state = $3, breaker_until = $4, breaker_opens = $5, updated_at = now()
      where tenant_id = $1 and endpoint_id = $2`,
    [tenantId, endpointId, state, until, opens],
    "set-breaker",
  );
}

/** Has the jobs that wait for an endpoint begin at `at`: what is not fetched before need not be put back. */
export async function putOffGroup(conn: Conn, queue: string, group: string, at: Date): Promise<void> {
  await conn.query(
    `update pgboss.job set start_after = $3
      where name = $1 and group_id = $2 and state < 'active' and not blocked and start_after <> $3`,
    [queue, group, at],
    "put-off-group",
  );
}

/** Has the jobs that wait for an endpoint begin at once. */
export async function letGroupBegin(conn: Conn, queue: string, group: string): Promise<void> {
  await conn.query(
    `update pgboss.job set start_after = now()
      where name = $1 and group_id = $2 and state < 'active' and not blocked and start_after > now()`,
    [queue, group],
    "let-group-begin",
  );
}

/** How many breakers of endpoints that take deliveries are open, and half open. */
export async function countBreakers(conn: Conn): Promise<{ open: number; half_open: number }> {
  const [row] = await conn.query<{ open: number; half_open: number }>(
    `select count(*) filter (where h.breaker_state = 'open')::int as open,
            count(*) filter (where h.breaker_state = 'half_open')::int as half_open
       from endpoint_health h join webhook_endpoints w on w.tenant_id = h.tenant_id and w.id = h.endpoint_id
      where h.breaker_state <> 'closed' and w.status <> 'disabled' and w.deleted_at is null`,
  );
  return row ?? { open: 0, half_open: 0 };
}
