import type { OrderStatus } from "#contracts/orders.ts";
import type { Conn, Tx } from "../client.ts";
import { CREATED_POSITION, keyset, keysetValues, type PageQuery } from "./paging.ts";

export interface OrderRow extends Record<string, unknown> {
  id: string;
  status: OrderStatus;
  customerId: string;
  /** Decimal text with trailing zeros. */
  total: string;
  currency: string;
  /** JSON text. */
  shippingAddress: string | null;
  version: string;
  createdAt: Date;
  updatedAt: Date;
  createdPosition: string;
}

const COLUMNS = `id, status, customer_id as "customerId", total, currency, shipping_address::text as "shippingAddress", version,
  created_at as "createdAt", updated_at as "updatedAt", ${CREATED_POSITION}`;

export async function insertOrder(
  tx: Tx,
  tenantId: string,
  order: {
    customerId: string;
    total: string;
    currency: string;
    shippingAddress: OrderRow["shippingAddress"];
    createdAt: Date;
  },
): Promise<OrderRow> {
  const [row] = await tx.query<OrderRow>(
    `insert into orders (tenant_id, customer_id, total, currency, shipping_address, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $6) returning ${COLUMNS}`,
    [tenantId, order.customerId, order.total, order.currency, order.shippingAddress, order.createdAt],
    "insert-order",
  );
  if (!row) throw new Error("insert gave no row");
  return row;
}

export async function findOrder(conn: Conn, tenantId: string, id: string): Promise<OrderRow | undefined> {
  const [row] = await conn.query<OrderRow>(
    `select ${COLUMNS} from orders where tenant_id = $1 and id = $2`,
    [tenantId, id],
    "find-order",
  );
  return row;
}

/** Changes an order that is in that version still; `undefined` when it is not. */
export async function updateOrder(
  tx: Tx,
  tenantId: string,
  order: {
    id: string;
    version: string;
    status: OrderStatus;
    /** `undefined` leaves it as it is. */
    shippingAddress: OrderRow["shippingAddress"] | undefined;
    at: Date;
  },
): Promise<OrderRow | undefined> {
  const { id, version, status, shippingAddress: address, at } = order;
  const [row] = await tx.query<OrderRow>(
    `update orders set status = $4, version = version + 1, updated_at = $5,
        shipping_address = case when $6 then $7::json else shipping_address end
      where tenant_id = $1 and id = $2 and version = $3 returning ${COLUMNS}`,
    [tenantId, id, version, status, at, address !== undefined, address ?? null],
    "update-order",
  );
  return row;
}

/** Orders, newest first. */
export function listOrders(
  conn: Conn,
  tenantId: string,
  filters: { status: OrderStatus | null; customerId: string | null },
  page: PageQuery,
): Promise<OrderRow[]> {
  return conn.query(
    `select ${COLUMNS} from orders
      where tenant_id = $1 and ($2::text is null or status = $2) and ($3::text is null or customer_id = $3)
        and ${keyset(page, 4, "bigint")}`,
    [tenantId, filters.status, filters.customerId, ...keysetValues(page)],
  );
}
