import { sql } from "drizzle-orm";
import {
  bigint,
  foreignKey,
  index,
  json,
  jsonb,
  numeric,
  pgTable,
  primaryKey,
  text,
  uuid,
} from "drizzle-orm/pg-core";
import { tenants } from "./tenants.ts";
import { int64, moment } from "./types.ts";

export const orders = pgTable(
  "orders",
  {
    tenantId: uuid("tenant_id").notNull(),
    id: bigint({ mode: "number" }).notNull().generatedAlwaysAsIdentity({ startWith: 1001 }),
    status: text().notNull().default("awaiting-payment"),
    customerId: text("customer_id").notNull(),
    total: numeric({ precision: 20, scale: 4 }).notNull(),
    currency: text().notNull(),
    // Not jsonb, which would rewrite numbers, some of them into thousands of digits.
    shippingAddress: json("shipping_address"),
    version: int64().notNull().default("1"),
    createdAt: moment("created_at").notNull().defaultNow(),
    updatedAt: moment("updated_at").notNull().defaultNow(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.id] }),
    foreignKey({ columns: [t.tenantId], foreignColumns: [tenants.id] }),
    index("orders_list").on(t.tenantId, t.createdAt, t.id),
    index("orders_by_status").on(t.tenantId, t.status, t.createdAt, t.id),
    index("orders_by_customer").on(t.tenantId, t.customerId, t.createdAt, t.id),
  ],
);

export const carts = pgTable(
  "carts",
  {
    tenantId: uuid("tenant_id").notNull(),
    id: uuid().notNull(),
    owner: text().notNull(),
    status: text().notNull().default("open"),
    currency: text().notNull(),
    items: jsonb().notNull().default(sql`'[]'::jsonb`),
    metadata: jsonb().notNull().default(sql`'{}'::jsonb`),
    version: int64().notNull().default("1"),
    createdAt: moment("created_at").notNull().defaultNow(),
    updatedAt: moment("updated_at").notNull().defaultNow(),
    deletedAt: moment("deleted_at"),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.id] }),
    foreignKey({ columns: [t.tenantId], foreignColumns: [tenants.id] }),
    index("carts_list").on(t.tenantId, t.createdAt, t.id),
    index("carts_by_owner").on(t.tenantId, t.owner, t.createdAt, t.id),
    index("carts_by_status").on(t.tenantId, t.status, t.createdAt, t.id),
    index("carts_deleted").on(t.deletedAt).where(sql`deleted_at is not null`),
  ],
);
