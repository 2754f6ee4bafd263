import { arrayParameter } from "../array-parameter.ts";
import type { Conn } from "../client.ts";
import type { Named } from "./delivering.ts";
import { nameOf, type Reach, reachOf, reachOfDay } from "./id-range.ts";

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

interface Waiting extends Record<string, unknown> {
  /** Its place among those that were named. */
  place: number;
  ctid: string;
  eventId: string;
  endpointId: string;
  eventType: string;
  attempts: number;
  step: number;
  trigger: string;
}

interface EventText extends Record<string, unknown> {
  place: number;
  sequence: string;
  body: string;
}

interface EndpointNow extends Record<string, unknown> {
  place: number;
  id: string;
  version: string;
  state: EndpointState;
  ordered: boolean;
}

/**
 * The deliveries named that still wait for an attempt and for this very job, with the text that is sent.
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
  const waiting = await listWaiting(conn, named);
  if (waiting.length === 0) return [];
  const events = new Keys();
  const endpoints = new Keys();
  const places = waiting.map(({ place, eventId, endpointId }) => {
    const tenantId = named.tenantIds[place] ?? "";
    return { event: events.add(tenantId, eventId), endpoint: endpoints.add(tenantId, endpointId) };
  });
  const [texts, states] = await Promise.all([listEvents(conn, events), listEndpoints(conn, endpoints)]);
  const due: DueDelivery[] = [];
  for (let n = 0; n < waiting.length; n++) {
    const [delivery, at] = [waiting[n], places[n]];
    const [text, endpoint] = [texts[at?.event ?? -1], states[at?.endpoint ?? -1]];
    if (delivery && text && endpoint) due.push(dueOf(named, delivery, text, endpoint));
  }
  return due;
}

/** One object with all that is known; in a literal, because this is done for each delivery there is. */
function dueOf(
  named: Named,
  { place, ctid, eventId, eventType, attempts, step, trigger }: Waiting,
  { body, sequence }: Pick<EventText, "body" | "sequence">,
  { id: endpointId, version, state, ordered }: EndpointNow,
): DueDelivery {
  return {
    tenantId: named.tenantIds[place] ?? "",
    id: named.ids[place] ?? "",
    ctid,
    eventId,
    endpointId,
    eventType,
    jobId: named.jobIds[place] ?? "",
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

const KEYS = "unnest($1::uuid[], $2::uuid[]) with ordinality as c (tenant_id, id, n)";
const valuesOf = ({ tenantIds, ids }: { tenantIds: readonly string[]; ids: readonly string[] }) => [
  arrayParameter("uuid", tenantIds),
  arrayParameter("uuid", ids),
];
const valuesOfNamed = (named: Named) => [...valuesOf(named), arrayParameter("uuid", named.jobIds)];

const DELIVERY = `(n - 1)::int as place, delivery.ctid, delivery.event_id as "eventId",
  delivery.endpoint_id as "endpointId", delivery.event_type as "eventType", attempts, step, trigger`;
const deliveriesIn = (reach: Reach) => `
  unnest($1::uuid[], $2::uuid[], $3::uuid[]) with ordinality as c (tenant_id, id, job_id, n)
  cross join ${byKey(reach, "c.id")} delivery`;
const endpointOf = (id: string) => `
  lateral (select * from webhook_endpoints w where w.tenant_id = c.tenant_id and w.id = ${id} offset 0) w`;
const STILL_WAITS = "delivery.job_id = c.job_id and delivery.status = 'pending'";
const ENDPOINT = `w.id, w.version, w.ordered,
  case when w.deleted_at is not null or w.status = 'disabled' then 'closed'
       when w.status = 'paused' then 'held' else 'open' end as state`;

function listWaiting(conn: Conn, named: Named): Promise<Waiting[]> {
  const reach = reachOf("deliveries", named.ids);
  return conn.query(
    `select ${DELIVERY} from ${deliveriesIn(reach)} where ${STILL_WAITS}`,
    valuesOfNamed(named),
    nameOf("list-waiting", reach),
  );
}

async function listEvents(conn: Conn, events: Keys): Promise<EventText[]> {
  const reach = reachOf("events", events.ids);
  const rows = await conn.query<EventText>(
    `select (n - 1)::int as place, e.sequence, e.body from ${KEYS} cross join ${byKey(reach, "c.id")} e`,
    valuesOf(events),
    nameOf("list-events", reach),
  );
  return byPlace(rows);
}

async function listEndpoints(conn: Conn, endpoints: Keys): Promise<EndpointNow[]> {
  const rows = await conn.query<EndpointNow>(
    `select (n - 1)::int as place, ${ENDPOINT} from ${KEYS} cross join ${endpointOf("c.id")}`,
    valuesOf(endpoints),
    "list-due-endpoints",
  );
  return byPlace(rows);
}

type Together = Waiting & EndpointNow & { sequence: string | null; body: string | null };

/** In one round trip; `undefined` where something is not of today or yesterday, or an event not of the day of its delivery. */
async function listTogether(conn: Conn, named: Named): Promise<DueDelivery[] | undefined> {
  const reach = reachOf("deliveries", named.ids);
  if (reach.day === null) return undefined;
  const rows = await conn.query<Together>(
    `select ${DELIVERY}, e.sequence, e.body, ${ENDPOINT}
       from ${deliveriesIn(reach)}
            left join ${byKey(reachOfDay("events", reach.day), "delivery.event_id")} e on true
            cross join ${endpointOf("delivery.endpoint_id")}
      where ${STILL_WAITS}`,
    valuesOfNamed(named),
    nameOf("list-due", reach),
  );
  const due: DueDelivery[] = [];
  for (const row of rows) {
    const { sequence, body } = row;
    if (sequence === null || body === null) return undefined;
    due.push(dueOf(named, row, { sequence, body }, row));
  }
  return due;
}

/** Some may be missing. */
function byPlace<T extends { place: number }>(rows: readonly T[]): T[] {
  const places: T[] = [];
  for (const row of rows) places[row.place] = row;
  return places;
}
