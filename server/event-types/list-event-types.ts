import type { Conn } from "#db/client.ts";
import { listEventTypes as listEventTypeRows } from "#db/queries/event-types.ts";
import { cutPage, type PageRequest } from "../domain/page.ts";
import { builtInTypes } from "./built-in-types.ts";

/** A page of the tenant's catalogue: its own types, newest first, then the built-in ones. */
export async function listEventTypes(conn: Conn, tenantId: string, page: PageRequest) {
  return cutPage(await listEventTypeRows(conn, tenantId, builtInTypes, page), page);
}
