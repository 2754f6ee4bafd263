import type { Conn } from "../client.ts";
import type { Named } from "./delivering.ts";
import { idsBetween } from "./id-range.ts";

/** What a worker needs to send one delivery; `endpointVersion` tells whether what it knows of the endpoint is current. */
export interface DueDelivery extends Due, Pick<EventText, "body"> {
  /** That of the event, where the endpoint is ordered; `null` otherwise. */
  sequence: string | null;
}

interface Due extends Record<string, unknown> {
  tenantId: string;
  id: string;
  eventId: string;
  endpointId: string;
  eventType: string;
  jobId: string;
  attempts: number;
  step: number;
  trigger: string;
  endpointVersion: string;
  /** `closed`: it has been disabled or deleted meanwhile; `held`: it is paused, and this is no test. */
  endpointState: "open" | "held" | "closed";
}

interface EventText extends Record<string, unknown> {
  tenantId: string;
  id: string;
  sequence: string;
  body: string;
}

/**
 * The deliveries named that still wait for an attempt and for this very job, with the text that is sent.
 * A delivery follows one job at a time, so a job that was left behind or repeated never makes a second attempt.
 */
export async function listDue(conn: Conn, named: Named): Promise<DueDelivery[]> {
  if (named.ids.length === 0) return [];
  const due = await listWaiting(conn, named);
  if (due.length === 0) return [];
  const events = new Map(
    (await listEvents(conn, due)).map((event) => [keyOf(event.tenantId, event.id), event]),
  );
  return due.filter((delivery): delivery is DueDelivery & { ordered: boolean } => {
    const event = events.get(keyOf(delivery.tenantId, delivery.eventId));
    if (event)
      Object.assign(delivery, { body: event.body, sequence: delivery.ordered ? event.sequence : null });
    return event !== undefined;
  });
}

// Neither statement is prepared: they are planned for the partitions that they reach and the size that those have now.
// OFFSET 0 keeps each step a look-up by primary key.

function listWaiting(conn: Conn, { tenantIds, ids, jobIds }: Named): Promise<(Due & { ordered: boolean })[]> {
  return conn.query(
    `select d.tenant_id as "tenantId", d.id, d.event_id as "eventId", d.endpoint_id as "endpointId",
            d.event_type as "eventType", d.job_id as "jobId", d.attempts, d.step, d.trigger, w.version as "endpointVersion",
            case when w.deleted_at is not null or w.status = 'disabled' then 'closed'
                 when w.status = 'paused' and d.trigger <> 'test' then 'held' else 'open' end as "endpointState",
            w.ordered
       from unnest($1::uuid[], $2::uuid[], $3::uuid[]) as c (tenant_id, id, job_id),
            lateral (select * from deliveries d
                      where d.tenant_id = c.tenant_id and d.id = c.id and ${idsBetween("d.id", ids)} offset 0) d,
            lateral (select * from webhook_endpoints w where w.tenant_id = d.tenant_id and w.id = d.endpoint_id offset 0) w
      where d.job_id = c.job_id and d.status = 'pending'`,
    [tenantIds, ids, jobIds],
  );
}

/** The events of deliveries, each once however many deliveries it has. */
function listEvents(conn: Conn, due: readonly Due[]): Promise<EventText[]> {
  const events = [...new Map(due.map((each) => [keyOf(each.tenantId, each.eventId), each])).values()];
  const ids = events.map(({ eventId }) => eventId);
  return conn.query(
    `select e.tenant_id as "tenantId", e.id, e.sequence, e.body
       from unnest($1::uuid[], $2::uuid[]) as c (tenant_id, id),
            lateral (select * from events e
                      where e.tenant_id = c.tenant_id and e.id = c.id and ${idsBetween("e.id", ids)} offset 0) e`,
    [events.map(({ tenantId }) => tenantId), ids],
  );
}

/** Two tenants may have given an event the same id. */
const keyOf = (tenantId: string, id: string) => tenantId + id;
