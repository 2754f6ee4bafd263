import type { Conn } from "#db/client.ts";
import { listTenants as listTenantRows, type TenantRow } from "#db/queries/tenants.ts";
import { cutPage, type PageRequest, type PageSlice } from "../domain/page.ts";

/** A page of all tenants, newest first. */
export async function listTenants(conn: Conn, page: PageRequest): Promise<PageSlice<TenantRow>> {
  return cutPage(await listTenantRows(conn, page), page);
}
