import type * as z from "zod";
import type { DeliveryFilters } from "#contracts/deliveries.ts";
import { fromId, type IdKind, uuidFloor } from "#contracts/ids.ts";
import type { Conn } from "#db/client.ts";
import {
  type DeliveryFilter,
  type DeliveryRow,
  listDeliveries as listDeliveryRows,
} from "#db/queries/deliveries.ts";
import { cutPage, type PageRequest, type PageSlice } from "../domain/page.ts";

/** A page of deliveries, newest first. */
export async function listDeliveries(
  conn: Conn,
  tenantId: string,
  filters: z.output<typeof DeliveryFilters>,
  page: PageRequest,
): Promise<PageSlice<DeliveryRow>> {
  return cutPage(await listDeliveryRows(conn, tenantId, toFilter(filters), page), page);
}

type Filters = z.output<typeof DeliveryFilters>;

function toFilter({ endpoint_id, event_id, event_type, status, from, to, q }: Filters): DeliveryFilter {
  const text = q?.trim() || null;
  const idIn = (kind: IdKind, id: string | null | undefined) => (id ? (fromId(kind, id) ?? null) : null);
  const named = { id: idIn("delivery", text), event: idIn("event", text), endpoint: idIn("endpoint", text) };
  return {
    id: named.id,
    endpointId: named.endpoint ?? idIn("endpoint", endpoint_id),
    eventId: named.event ?? idIn("event", event_id),
    eventTypes: event_type === undefined ? null : [event_type].flat(),
    statuses: status === undefined ? null : [status].flat(),
    fromId: from ? uuidFloor(from.getTime()) : null,
    toId: to ? uuidFloor(to.getTime()) : null,
    text: (named.id ?? named.event ?? named.endpoint) ? null : text,
  };
}
