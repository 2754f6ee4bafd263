import type { Conn } from "#db/client.ts";
import { type KeyRecord, listApiKeyPage } from "#db/queries/keys.ts";
import { cutPage, type PageRequest, type PageSlice } from "../domain/page.ts";

/** A page of the tenant's keys, newest first. */
export async function listApiKeys(
  conn: Conn,
  tenantId: string,
  page: PageRequest,
): Promise<PageSlice<KeyRecord>> {
  return cutPage(await listApiKeyPage(conn, tenantId, page), page);
}
