import type { OrderStatus } from "#contracts/orders.ts";
import type { Conn } from "#db/client.ts";
import { listOrders as listOrderRows, type OrderRow } from "#db/queries/orders.ts";
import { cutPage, type PageRequest, type PageSlice } from "../domain/page.ts";

/** A page of orders, newest first. */
export async function listOrders(
  conn: Conn,
  tenantId: string,
  filters: { status?: OrderStatus | undefined; CustomerId?: string | undefined },
  page: PageRequest,
): Promise<PageSlice<OrderRow>> {
  const { status = null, CustomerId: customerId = null } = filters;
  return cutPage(await listOrderRows(conn, tenantId, { status, customerId }, page), page);
}
