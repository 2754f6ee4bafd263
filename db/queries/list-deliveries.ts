import type { DeliveryStatus } from "#contracts/deliveries.ts";
import type { Conn } from "../client.ts";
import { COLUMNS, type DeliveryRow, HELD } from "./deliveries.ts";
import type { PageQuery } from "./paging.ts";

/** What narrows a list of deliveries. Of ids, each that is given must be the delivery's. */
export interface DeliveryFilter {
  ids: readonly string[];
  endpointIds: readonly string[];
  eventIds: readonly string[];
  eventTypes?: readonly string[];
  statuses?: readonly DeliveryStatus[];
  failureReasons?: readonly string[];
  /** Bounds on the id, which carries the time of creation: from inclusive, to exclusive. */
  fromId?: string;
  toId?: string;
  /** Text within the event's body. */
  text?: string;
}

/**
 * A page of deliveries and one row more, in the order of their ids, which is that of their creation: newest first, or,
 * backward, what is newer than `from`, nearest first. `from` holds an id.
 *
 * Ids, an endpoint, an event and every state but `delivered` are found by an index that has the order of the list, so
 * that a page costs what it shows. By type, by reason and by text there is none: the list is read until the page is full.
 */
export function listDeliveries(
  conn: Conn,
  tenantId: string,
  filter: DeliveryFilter,
  page: PageQuery,
): Promise<DeliveryRow[]> {
  const direction = page.backward ? "asc" : "desc";
  const values: unknown[] = [tenantId, page.limit + 1];
  const parameter = (value: unknown) => `$${values.push(value)}`;
  const conditions = conditionsOf(filter, parameter);
  const from = page.from?.[0];
  if (from !== undefined) conditions.push(`d.id ${page.backward ? ">" : "<"} ${parameter(from)}::uuid`);

  // Each state by itself, since an index is in order within one. Few rows have an id: no other way to them is looked for.
  const isFew = filter.ids.length + filter.eventIds.length > 0;
  const end = isFew ? "offset 0" : `order by d.id ${direction} limit $2`;
  const parts = (filter.statuses ?? [undefined]).map((status) => {
    const all = ["d.tenant_id = $1", ...conditions, ...(status ? [STATES[status]] : [])];
    return `(select d.* from deliveries d where ${all.join(" and ")} ${end})`;
  });
  return conn.query<DeliveryRow>(
    `with ${HELD} select ${COLUMNS} from (${parts.join(" union all ")}) d order by d.id ${direction} limit $2`,
    values,
  );
}

/** The states as they are shown. They are spelled out, because partial indexes serve no parameter. */
const STATES: Record<DeliveryStatus, string> = {
  pending: "d.status = 'pending' and d.job_id not in (select job_id from held)",
  in_flight: `d.status = 'pending' and d.job_id in (select job_id from held)
    and d.id in (select unnest(delivery_ids) from claims where tenant_id = $1)`,
  delivered: "d.status = 'delivered'",
  failed: "d.status = 'failed'",
  cancelled: "d.status = 'cancelled'",
  dismissed: "d.status = 'dismissed'",
};

function conditionsOf(filter: DeliveryFilter, parameter: (value: unknown) => string): string[] {
  const { ids, endpointIds, eventIds, eventTypes, failureReasons, fromId, toId, text } = filter;
  return [
    ...ids.map((id) => `d.id = ${parameter(id)}::uuid`),
    ...endpointIds.map((id) => `d.endpoint_id = ${parameter(id)}::uuid`),
    ...eventIds.map((id) => `d.event_id = ${parameter(id)}::uuid`),
    ...(eventTypes ? [`d.event_type = any(${parameter(eventTypes)}::text[])`] : []),
    ...(failureReasons ? [`d.failure_reason = any(${parameter(failureReasons)}::text[])`] : []),
    ...(fromId ? [`d.id >= ${parameter(fromId)}::uuid`] : []),
    ...(toId ? [`d.id < ${parameter(toId)}::uuid`] : []),
    ...(text
      ? [
          `exists (select 1 from events e where e.tenant_id = d.tenant_id and e.id = d.event_id
             and strpos(e.body, ${parameter(text)}) > 0)`,
        ]
      : []),
  ];
}
