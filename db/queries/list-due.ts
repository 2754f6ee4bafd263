import { arrayParameter } from "../array-parameter.ts";
import type { Conn } from "../client.ts";
import type { Named } from "./delivering.ts";
import { nameOf, type Reach, reachOf, reachOfDay } from "./id-range.ts";
import { type Runs, runsOf } from "./id-runs.ts";

/** What a worker needs to send one delivery; `endpointVersion` tells whether what it knows of the endpoint is current. */
export interface DueDelivery {
  tenantId: string;
  id: string;
  /** Where its row lies, as it is read; elsewhere once it has been changed. */
  ctid: string;
  eventId: string;
  endpointId: string;
  eventType: string;
  jobId: string;
  attempts: number;
  step: number;
  trigger: string;
  endpointVersion: string;
  /** `closed`: it has been disabled or deleted meanwhile; `held`: it is paused, and this is no test. */
  endpointState: EndpointState;
  body: string;
  /** That of the event, where the endpoint is ordered; `null` otherwise. */
  sequence: string | null;
}

type EndpointState = "open" | "held" | "closed";

/** Of a delivery that waits. */
interface Waiting extends Record<string, unknown> {
  id: string;
  ctid: string;
  eventId: string;
  endpointId: string;
  eventType: string;
  attempts: number;
  step: number;
  trigger: string;
}

interface EventText extends Record<string, unknown> {
  id: string;
  sequence: string;
  body: string;
}

interface EndpointNow extends Record<string, unknown> {
  endpointId: string;
  version: string;
  state: EndpointState;
  ordered: boolean;
}

/**
 * The deliveries of jobs that still wait for an attempt and for this very job, with the text that is sent: those that the
 * jobs name.
 * A delivery follows one job at a time, so a job that was left behind or repeated never makes a second attempt.
 * Endpoints are read after the deliveries: what has become of one meanwhile counts.
 */
export async function listDue(conn: Conn, named: Named): Promise<DueDelivery[]> {
  if (named.ids.length === 0) return [];
  const few = named.ids.length <= FEW ? await listTogether(conn, named) : undefined;
  return few ?? listApart(conn, named);
}

/** A text comes once for each of its deliveries where all is read together, which would be dear for many. */
const FEW = 8;

async function listApart(conn: Conn, named: Named): Promise<DueDelivery[]> {
  const runs = runsOf(named);
  const waiting = await listWaiting(conn, runs);
  if (waiting.length === 0) return [];
  const events = new Keys();
  const endpoints = new Keys();
  const places = waiting.map(({ run, eventId, endpointId }) => {
    const tenantId = runs.tenantIds[run] ?? "";
    return { event: events.add(tenantId, eventId), endpoint: endpoints.add(tenantId, endpointId) };
  });
  const [texts, states] = await Promise.all([listEvents(conn, events), listEndpoints(conn, endpoints)]);
  const due: DueDelivery[] = [];
  for (let n = 0; n < waiting.length; n++) {
    const [delivery, at] = [waiting[n], places[n]];
    const [text, endpoint] = [texts[at?.event ?? -1], states[at?.endpoint ?? -1]];
    if (!delivery || !text || !endpoint) continue;
    const [tenantId = "", jobId = ""] = [runs.tenantIds[delivery.run], runs.jobIds[delivery.run]];
    due.push(dueOf({ tenantId, jobId }, delivery, text, endpoint));
  }
  return due;
}

/** One object with all that is known; in a literal, because this is done for each delivery there is. */
function dueOf(
  { tenantId, jobId }: Pick<DueDelivery, "tenantId" | "jobId">,
  { id, ctid, eventId, eventType, attempts, step, trigger }: Waiting,
  { body, sequence }: Pick<EventText, "body" | "sequence">,
  { endpointId, version, state, ordered }: EndpointNow,
): DueDelivery {
  return {
    tenantId,
    id,
    ctid,
    eventId,
    endpointId,
    eventType,
    jobId,
    attempts,
    step,
    trigger,
    endpointVersion: version,
    endpointState: state === "held" && trigger === "test" ? "open" : state,
    body,
    sequence: ordered ? sequence : null,
  };
}

/** Each key once, however often it was added: two tenants may have given an event the same id. */
class Keys {
  readonly tenantIds: string[] = [];
  readonly ids: string[] = [];
  readonly #places = new Map<string, Map<string, number>>();

  /** Gives the place of the key. */
  add(tenantId: string, id: string): number {
    let places = this.#places.get(tenantId);
    if (!places) {
      places = new Map();
      this.#places.set(tenantId, places);
    }
    const known = places.get(id);
    if (known !== undefined) return known;
    places.set(id, this.ids.length);
    this.tenantIds.push(tenantId);
    return this.ids.push(id) - 1;
  }

  placeOf(tenantId: string, id: string): number | undefined {
    return this.#places.get(tenantId)?.get(id);
  }
}

/**
 * A look-up by primary key in a table that is partitioned: `LIMIT` keeps it a step of its own. By an equation other indexes serve
 * as well as that of the key while the table is empty, which is when a statement of a partition is prepared; none but
 * that of the key gives this order.
 */
const byKey = ({ table, condition }: Reach, id: string) => `
  lateral (select d.ctid, d.* from ${table} d
            where d.tenant_id = c.tenant_id and d.id >= ${id} and d.id <= ${id} and ${condition}
            order by d.id limit 1)`;

/**
 * The rows of some runs of ids, in a table that is partitioned. Written as `byKey` is, for the same reason: none but the index of
 * the key gives this order. `OFFSET` keeps what else is asked of them out of it.
 */
const byRuns = ({ table, condition }: Reach) => `
  lateral (select d.ctid, d.* from ${table} d
            where d.tenant_id = r.tenant_id and d.id >= r.least and d.id <= r.greatest and ${condition}
            order by d.id offset 0)`;

const valuesOf = (...lists: (readonly string[])[]) => lists.map((list) => arrayParameter("uuid", list));

const DELIVERY = `delivery.id, delivery.ctid, delivery.event_id as "eventId",
  delivery.endpoint_id as "endpointId", delivery.event_type as "eventType", attempts, step, trigger`;
const endpointOf = (id: string) => `
  lateral (select * from webhook_endpoints w where w.tenant_id = c.tenant_id and w.id = ${id} offset 0) w`;
const stillWaits = (job: string) => `delivery.job_id = ${job} and delivery.status = 'pending'`;
const ENDPOINT = `w.id as "endpointId", w.version, w.ordered,
  case when w.deleted_at is not null or w.status = 'disabled' then 'closed'
       when w.status = 'paused' then 'held' else 'open' end as state`;

/** Each with its run. Whatever waits for a job lies between those that the job names. */
function listWaiting(
  conn: Conn,
  { tenantIds, least, greatest, jobIds }: Runs,
): Promise<(Waiting & { run: number })[]> {
  const reach = reachOf("deliveries", [...least, ...greatest]);
  return conn.query(
    `select (n - 1)::int as run, ${DELIVERY}
       from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[]) with ordinality
              as r (tenant_id, least, greatest, job_id, n)
            cross join ${byRuns(reach)} delivery
      where ${stillWaits("r.job_id")}`,
    valuesOf(tenantIds, least, greatest, jobIds),
    nameOf("list-waiting", reach),
  );
}

/** By their places; some may be missing. The events between them are not asked for, and their texts may be long. */
async function listEvents(conn: Conn, events: Keys): Promise<EventText[]> {
  const reach = reachOf("events", events.ids);
  const { tenantIds, least, greatest } = runsOf(events);
  const rows = await conn.query<EventText & { run: number }>(
    `select (n - 1)::int as run, e.id, e.sequence, e.body
       from unnest($1::uuid[], $2::uuid[], $3::uuid[]) with ordinality as r (tenant_id, least, greatest, n)
            cross join ${byRuns(reach)} e
      where (e.id in (select unnest($4::uuid[]))) is true`,
    valuesOf(tenantIds, least, greatest, events.ids),
    nameOf("list-events", reach),
  );
  const texts: EventText[] = [];
  for (const row of rows) {
    const place = events.placeOf(tenantIds[row.run] ?? "", row.id);
    if (place !== undefined) texts[place] = row;
  }
  return texts;
}

async function listEndpoints(conn: Conn, endpoints: Keys): Promise<EndpointNow[]> {
  const rows = await conn.query<EndpointNow & { place: number }>(
    `select (n - 1)::int as place, ${ENDPOINT}
       from unnest($1::uuid[], $2::uuid[]) with ordinality as c (tenant_id, id, n) cross join ${endpointOf("c.id")}`,
    valuesOf(endpoints.tenantIds, endpoints.ids),
    "list-due-endpoints",
  );
  const states: EndpointNow[] = [];
  for (const row of rows) states[row.place] = row;
  return states;
}

type Together = Waiting & EndpointNow & { place: number; sequence: string | null; body: string | null };

/** In one round trip; `undefined` where something is not of today or yesterday, or an event not of the day of its delivery. */
async function listTogether(conn: Conn, named: Named): Promise<DueDelivery[] | undefined> {
  const { tenantIds, ids, jobIds } = named;
  const reach = reachOf("deliveries", ids);
  if (reach.day === null) return undefined;
  const rows = await conn.query<Together>(
    `select (n - 1)::int as place, ${DELIVERY}, e.sequence, e.body, ${ENDPOINT}
       from unnest($1::uuid[], $2::uuid[], $3::uuid[]) with ordinality as c (tenant_id, id, job_id, n)
            cross join ${byKey(reach, "c.id")} delivery
            left join ${byKey(reachOfDay("events", reach.day), "delivery.event_id")} e on true
            cross join ${endpointOf("delivery.endpoint_id")}
      where ${stillWaits("c.job_id")}`,
    valuesOf(tenantIds, ids, jobIds),
    nameOf("list-due", reach),
  );
  const due: DueDelivery[] = [];
  for (const row of rows) {
    const { place, sequence, body } = row;
    if (sequence === null || body === null) return undefined;
    const [tenantId = "", jobId = ""] = [tenantIds[place], jobIds[place]];
    due.push(dueOf({ tenantId, jobId }, row, { sequence, body }, row));
  }
  return due;
}
