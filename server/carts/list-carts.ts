import type { CartStatus } from "#contracts/carts.ts";
import type { Conn } from "#db/client.ts";
import { type CartRow, listCarts as listCartRows } from "#db/queries/carts.ts";
import { cutPage, type PageRequest, type PageSlice } from "../domain/page.ts";

/** A page of carts, newest first. */
export async function listCarts(
  conn: Conn,
  tenantId: string,
  filters: { owner?: string | undefined; status?: CartStatus | undefined },
  page: PageRequest,
): Promise<PageSlice<CartRow>> {
  const { owner = null, status = null } = filters;
  return cutPage(await listCartRows(conn, tenantId, { owner, status }, page), page);
}
