import type { DeliveryStatus } from "#contracts/deliveries.ts";
import { uuidTimeMs } from "#contracts/ids.ts";
import type { Conn } from "../client.ts";
import { COLUMNS, type DeliveryRow, HELD } from "./deliveries.ts";
import { idWithin, minuteOf } from "./delivery-minutes.ts";
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
 * that a page costs what it shows. Types are looked for in the minutes that have some. By reason and by text there is nothing:
 * the list is read until the page is full.
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
  const { keys, others } = conditionsOf(filter, parameter);
  const from = page.from?.[0];
  if (from !== undefined) {
    const bound = `${page.backward ? ">" : "<"} ${parameter(from)}::uuid`;
    keys.push((row) => `${row}.id ${bound}`);
  }

  // Each state by itself, since an index is in order within one. Few rows have an id: no other way to them is looked for.
  const isFew = filter.ids.length + filter.eventIds.length > 0;
  const minutes =
    isFew || filter.endpointIds.length > 0 || !(filter.statuses ?? ["delivered"]).includes("delivered")
      ? undefined
      : minutesOf(filter, page, direction, parameter);
  const parts = (filter.statuses ?? [undefined]).map((status) => {
    const keysOf = (row: "d" | "u") =>
      [`${row}.tenant_id = $1`, ...keys.map((key) => key(row))].join(" and ");
    const rest = [...others, ...(status ? [STATES[status]] : [])].map((each) => ` and ${each}`).join("");
    const order = (row: "d" | "u") => `order by ${row}.id ${direction} limit $2`;
    if (isFew) return `(select d.* from deliveries d where ${keysOf("d")}${rest} offset 0)`;
    if (status === "in_flight")
      return `(select d.* from (select distinct unnest(delivery_ids) as id from claims where tenant_id = $1) c cross join lateral
                 (select d.* from deliveries d where d.id = c.id and ${keysOf("d")}${rest} offset 0) d ${order("d")})`;
    if (status && status !== "delivered")
      return `(select d.* from undelivered u cross join lateral
                 (select d.* from deliveries d where d.tenant_id = u.tenant_id and d.id = u.id${rest} offset 0) d
                where ${keysOf("u")} and u.status = '${status}' ${order("u")})`;
    if (!minutes) return `(select d.* from deliveries d where ${keysOf("d")}${rest} ${order("d")})`;
    return `(select d.* from (${minutes}) m cross join lateral
               (select d.* from deliveries d where ${keysOf("d")}${rest} and ${idWithin("d.id", "m.minute")} ${order("d")}) d
              order by m.minute ${direction}, d.id ${direction} limit $2)`;
  });
  return conn.query<DeliveryRow>(
    `with ${HELD} select ${COLUMNS} from (${parts.join(" union all ")}) d order by d.id ${direction} limit $2`,
    values,
  );
}

/** The states as they are shown. */
const STATES: Record<DeliveryStatus, string> = {
  pending: "d.status = 'pending' and d.job_id not in (select job_id from held)",
  in_flight: "d.status = 'pending' and d.job_id in (select job_id from held)",
  delivered: "d.status = 'delivered'",
  failed: "d.status = 'failed'",
  cancelled: "d.status = 'cancelled'",
  dismissed: "d.status = 'dismissed'",
};

/** The minutes, in the order of the list, in which a page of types may have deliveries; `undefined` without types. */
function minutesOf(
  { eventTypes, fromId, toId }: DeliveryFilter,
  { from, backward }: PageQuery,
  direction: "asc" | "desc",
  parameter: (value: unknown) => string,
): string | undefined {
  if (!eventTypes) return undefined;
  const bound = (comparison: "<=" | ">=", id: string | undefined) =>
    id === undefined ? "" : ` and minute ${comparison} ${parameter(minuteOf(uuidTimeMs(id)))}::bigint`;
  const bounds = `${bound(">=", fromId)}${bound("<=", toId)}${bound(backward ? ">=" : "<=", from?.[0])}`;
  // Each type by itself and in order, as the index is: they are merged, and no more of them is read than the page takes.
  const parts = [...new Set(eventTypes)].map(
    (type) =>
      `(select minute from delivery_minutes where tenant_id = $1 and event_type = ${parameter(type)}${bounds}
         order by minute ${direction})`,
  );
  return `select distinct on (minute) minute from (${parts.join(" union all ")}) m order by minute ${direction}`;
}

/** Conditions on what rows of `undelivered` have too, for the one or the other, and those on a delivery alone. */
function conditionsOf(
  filter: DeliveryFilter,
  parameter: (value: unknown) => string,
): { keys: ((row: "d" | "u") => string)[]; others: string[] } {
  const { ids, endpointIds, eventIds, eventTypes, failureReasons, fromId, toId, text } = filter;
  const key = (column: string, is: string, value: unknown, type: string) => {
    const given = parameter(value);
    return (row: "d" | "u") => `${row}.${column} ${is.replace("?", `${given}::${type}`)}`;
  };
  return {
    keys: [
      ...ids.map((id) => key("id", "= ?", id, "uuid")),
      ...endpointIds.map((id) => key("endpoint_id", "= ?", id, "uuid")),
      ...eventIds.map((id) => key("event_id", "= ?", id, "uuid")),
      ...(eventTypes ? [key("event_type", "= any(?)", eventTypes, "text[]")] : []),
      ...(fromId ? [key("id", ">= ?", fromId, "uuid")] : []),
      ...(toId ? [key("id", "< ?", toId, "uuid")] : []),
    ],
    others: [
      ...(failureReasons ? [`d.failure_reason = any(${parameter(failureReasons)}::text[])`] : []),
      ...(text
        ? [
            `exists (select 1 from events e where e.tenant_id = d.tenant_id and e.id = d.event_id
               and strpos(e.body, ${parameter(text)}) > 0)`,
          ]
        : []),
    ],
  };
}
