import type { CartStatus } from "#contracts/carts.ts";
import type { Conn, Tx } from "../client.ts";
import { CREATED_POSITION, keyset, keysetValues, type PageQuery } from "./paging.ts";

/** One line as it is stored: prices are text, which no reader of JSON rounds. */
interface StoredLine {
  sku: string;
  quantity: number;
  unit_price: string;
  name?: string;
}

/** What a change of a cart can change. */
export interface CartContent {
  owner: string;
  status: CartStatus;
  currency: string;
  items: readonly StoredLine[];
  metadata: Record<string, string>;
}

export interface CartRow extends CartContent, Record<string, unknown> {
  id: string;
  version: string;
  createdAt: Date;
  updatedAt: Date;
  createdPosition: string;
}

const COLUMNS = `id, owner, status, currency, items, metadata, version,
  created_at as "createdAt", updated_at as "updatedAt", ${CREATED_POSITION}`;

const contentValues = ({ owner, status, currency, items, metadata }: CartContent) => [
  owner,
  status,
  currency,
  JSON.stringify(items),
  JSON.stringify(metadata),
];

export async function insertCart(
  tx: Tx,
  tenantId: string,
  cart: { id: string; content: CartContent; createdAt: Date },
): Promise<CartRow> {
  const [row] = await tx.query<CartRow>(
    `insert into carts (tenant_id, id, created_at, updated_at, owner, status, currency, items, metadata)
     values ($1, $2, $3, $3, $4, $5, $6, $7, $8) returning ${COLUMNS}`,
    [tenantId, cart.id, cart.createdAt, ...contentValues(cart.content)],
    "insert-cart",
  );
  if (!row) throw new Error("insert gave no row");
  return row;
}

/** A cart that is there; one that was deleted is not. */
export async function findCart(conn: Conn, tenantId: string, id: string): Promise<CartRow | undefined> {
  const [row] = await conn.query<CartRow>(
    `select ${COLUMNS} from carts where tenant_id = $1 and id = $2 and deleted_at is null`,
    [tenantId, id],
    "find-cart",
  );
  return row;
}

/** Whether a cart of that id was deleted after `since`. */
export async function wasCartDeleted(
  conn: Conn,
  tenantId: string,
  { id, since }: { id: string; since: Date },
): Promise<boolean> {
  const rows = await conn.query(
    "select 1 from carts where tenant_id = $1 and id = $2 and deleted_at > $3",
    [tenantId, id, since],
    "find-cart-tombstone",
  );
  return rows.length > 0;
}

/** Gives a cart its new content, if it is in that version still; `undefined` when it is not. */
export async function updateCart(
  tx: Tx,
  tenantId: string,
  change: { id: string; version: string; content: CartContent; at: Date },
): Promise<CartRow | undefined> {
  const [row] = await tx.query<CartRow>(
    `update carts set owner = $5, status = $6, currency = $7, items = $8, metadata = $9,
            version = version + 1, updated_at = $4
      where tenant_id = $1 and id = $2 and version = $3 and deleted_at is null returning ${COLUMNS}`,
    [tenantId, change.id, change.version, change.at, ...contentValues(change.content)],
    "update-cart",
  );
  return row;
}

/** Makes a tombstone of a cart, if it is in that version still; `undefined` when it is not. */
export async function deleteCart(
  tx: Tx,
  tenantId: string,
  { id, version, at }: { id: string; version: string; at: Date },
): Promise<CartRow | undefined> {
  const [row] = await tx.query<CartRow>(
    `update carts set deleted_at = $4, version = version + 1, updated_at = $4
      where tenant_id = $1 and id = $2 and version = $3 and deleted_at is null returning ${COLUMNS}`,
    [tenantId, id, version, at],
    "delete-cart",
  );
  return row;
}

/** Carts, newest first. */
export function listCarts(
  conn: Conn,
  tenantId: string,
  filters: { owner: string | null; status: CartStatus | null },
  page: PageQuery,
): Promise<CartRow[]> {
  return conn.query(
    `select ${COLUMNS} from carts
      where tenant_id = $1 and deleted_at is null
        and ($2::text is null or owner = $2) and ($3::text is null or status = $3) and ${keyset(page, 4, "uuid")}`,
    [tenantId, filters.owner, filters.status, ...keysetValues(page)],
  );
}

/** Removes up to `limit` tombstones of carts that were deleted by `until`, the oldest first; gives how many. */
export async function purgeCarts(
  conn: Conn,
  { until, limit }: { until: Date; limit: number },
): Promise<number> {
  const rows = await conn.query(
    `delete from carts where (tenant_id, id) in (
       select tenant_id, id from carts where deleted_at <= $1
        order by deleted_at limit $2 for update skip locked)
     returning 1`,
    [until, limit],
  );
  return rows.length;
}
