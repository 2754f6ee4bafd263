import type { Conn } from "#db/client.ts";
import { type EndpointRow, listEndpoints as listEndpointRows } from "#db/queries/endpoints.ts";
import { cutPage, type PageRequest, type PageSlice } from "../domain/page.ts";

/** A page of the tenant's endpoints, newest first. */
export async function listEndpoints(
  conn: Conn,
  tenantId: string,
  page: PageRequest,
): Promise<PageSlice<EndpointRow>> {
  return cutPage(await listEndpointRows(conn, tenantId, page), page);
}
