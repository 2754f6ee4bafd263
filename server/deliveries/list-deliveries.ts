import type * as z from "zod";
import type { DeliveryFilters } from "#contracts/deliveries.ts";
import { fromId, type IdKind, uuidFloor } from "#contracts/ids.ts";
import type { Conn } from "#db/client.ts";
import type { DeliveryRow } from "#db/queries/deliveries.ts";
import { type DeliveryFilter, listDeliveries as listDeliveryRows } from "#db/queries/list-deliveries.ts";
import { cutPage, type PageRequest, type PageSlice } from "../domain/page.ts";

type Filters = z.output<typeof DeliveryFilters>;

/** A page of deliveries, newest first. */
export async function listDeliveries(
  conn: Conn,
  tenantId: string,
  filters: Filters,
  page: PageRequest,
): Promise<PageSlice<DeliveryRow>> {
  return cutPage(await listDeliveryRows(conn, tenantId, toFilter(filters), page), page);
}

function toFilter(filters: Filters): DeliveryFilter {
  const { endpoint_id, event_id, event_type, status, failure_reason, from, to, q } = filters;
  const text = q?.trim();
  const idsOf = (kind: IdKind, ...ids: (string | undefined)[]) =>
    ids.flatMap((id) => (id === undefined ? [] : (fromId(kind, id) ?? [])));
  const named = {
    ids: idsOf("delivery", text),
    endpointIds: idsOf("endpoint", text, endpoint_id),
    eventIds: idsOf("event", text, event_id),
  };
  const isId =
    text !== undefined && (["delivery", "endpoint", "event"] as const).some((kind) => fromId(kind, text));
  return {
    ...named,
    ...(event_type === undefined ? {} : { eventTypes: [event_type].flat() }),
    ...(status === undefined ? {} : { statuses: [...new Set([status].flat())] }),
    ...(failure_reason === undefined ? {} : { failureReasons: [failure_reason].flat() }),
    ...(from ? { fromId: uuidFloor(from.getTime()) } : {}),
    ...(to ? { toId: uuidFloor(to.getTime()) } : {}),
    ...(text && !isId ? { text } : {}),
  };
}
